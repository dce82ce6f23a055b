import { mc, net } from "../../../behavior_pack/game/modules.ts";
import { type Answerer, type Input, numberOf, textOf } from "./asked.ts";
import { modeNow, note } from "./before.ts";
import { type Failure, failureOf } from "./failure.ts";

/** How a request went. */
interface Went {
  /** `thrown`: by the call itself */
  readonly came: "answer" | "rejected" | "thrown";
  readonly ms: number;
  readonly ticks: number;
  /** wall time at which it was known */
  readonly at: number;
  readonly status?: number;
  readonly length?: number;
  readonly body?: string;
  readonly failure?: Failure;
  readonly mode: string;
}

const MOST_SHOWN = 400;

function made(input: Input): net.HttpRequest {
  const request = new net.HttpRequest(textOf(input, "url"));
  const method = textOf(input, "method") || "Post";
  request.setMethod(method as net.HttpRequestMethod);
  request.addHeader("Content-Type", "application/json");
  const header = textOf(input, "header");
  if (header !== "") request.addHeader("X-Probe", header);
  const pad = (textOf(input, "letter") || "a").repeat(numberOf(input, "pad", 0));
  if (method !== "Get") request.setBody(JSON.stringify({ ...wishIn(input), pad }));
  const timeout = numberOf(input, "timeout", 10);
  if (timeout > 0) request.setTimeout(timeout);
  return request;
}

const wishIn = ({ wish }: Input): object => (typeof wish === "object" && wish !== null ? wish : {});

async function send(input: Input): Promise<Went> {
  const [begun, tick] = [Date.now(), mc.system.currentTick];
  const now = () => ({
    at: Date.now(),
    ms: Date.now() - begun,
    ticks: mc.system.currentTick - tick,
    mode: modeNow(),
  });
  let asked: Promise<net.HttpResponse>;
  try {
    asked = net.http.request(made(input));
  } catch (error) {
    return { came: "thrown", failure: failureOf(error), ...now() };
  }
  try {
    const { status, body } = await asked;
    return { came: "answer", status, length: body.length, body: body.slice(0, MOST_SHOWN), ...now() };
  } catch (error) {
    return { came: "rejected", failure: failureOf(error), ...now() };
  }
}

export const netAnswers: Readonly<Record<string, Answerer>> = {
  send,
  "send-many": input => Promise.all(Array.from({ length: numberOf(input, "count", 2) }, () => send(input))),
  /** Is answered at once; how the request went is noted. */
  "send-held": input => {
    void send(input).then(({ came, ms, failure }) => note("held", { came, ms, name: failure?.name ?? "" }));
    return true;
  },
  "send-cancelled": async input => {
    const going = send(input);
    mc.system.runTimeout(() => net.http.cancelAll("prove"), 5);
    return going;
  },
};
