import { admin, net } from "../../behavior_pack/game/beta-modules.ts";
import { mc, ui } from "../../behavior_pack/game/modules.ts";
import { failureOf, tried } from "./failure.ts";
import { type Handler, type Input, numberOf, textOf } from "./questions.ts";
import { eventsSince, modeNow, unsupportedEvents } from "./recorded-events.ts";

const { system, world } = mc;

export const waitTicks = (ticks: number): Promise<void> =>
  new Promise(resolve => {
    system.runTimeout(() => resolve(), ticks);
  });

const engine: Readonly<Record<string, Handler>> = {
  events: input => eventsSince(numberOf(input, "since", 0)),
  load: () => ({ unsupportedEvents }),
  "wait-ticks": async input => {
    await waitTicks(numberOf(input, "ticks", 20));
    return true;
  },
};

type List = NonNullable<typeof admin.dedicatedServer>["allowList"];

const onList =
  (use: (list: List, name: string) => unknown): Handler =>
  input =>
    tried(() => {
      const list = admin.dedicatedServer?.allowList;
      if (list === undefined) throw new Error("the game offers no allowlist");
      return use(list, textOf(input, "name")) ?? null;
    });

const stored: Readonly<Record<string, Handler>> = {
  "list-contains": onList((list, name) => list.contains({ name })),
  "list-add": onList((list, name) => list.add({ name })),
  "list-remove": onList((list, name) => list.remove({ name })),
  /** The token is not revealed: only the length of a text that might contain it. */
  settings: () => {
    const token = admin.secrets.get("bridge-token");
    const texts = [String(token), JSON.stringify(token) ?? "", `${Object.values(token ?? {})}`];
    return {
      token: typeof token,
      longest: Math.max(...texts.map(text => (/[0-9a-z]{20}/i.test(text) ? text.length : 0))),
    };
  },
  set: input => tried(() => world.setDynamicProperty(textOf(input, "key"), textOf(input, "value")) ?? null),
  get: input => tried(() => world.getDynamicProperty(textOf(input, "key")) ?? null),
  /** Whether a text of this length is read back unchanged. */
  "set-long": input => {
    const [key, text] = ["prove:long", "a".repeat(numberOf(input, "length", 10))];
    const set = tried(() => world.setDynamicProperty(key, text) ?? null);
    const isSame = world.getDynamicProperty(key) === text;
    world.setDynamicProperty(key, undefined);
    return { ...set, isSame };
  },
};

const MAX_BODY = 400;

function requestOf(input: Input): net.HttpRequest {
  const request = new net.HttpRequest(textOf(input, "url"));
  request.setMethod("Post" as net.HttpRequestMethod);
  request.addHeader("Content-Type", "application/json");
  const header = textOf(input, "header");
  if (header !== "") request.addHeader("X-Probe", header);
  const wish = typeof input.wish === "object" && input.wish !== null ? input.wish : {};
  const pad = (textOf(input, "letter") || "a").repeat(numberOf(input, "pad", 0));
  request.setBody(JSON.stringify({ ...wish, pad }));
  request.setTimeout(numberOf(input, "timeout", 10));
  return request;
}

/** Sends a request: answered, rejected, or refused by the call itself. */
async function send(input: Input): Promise<unknown> {
  const begun = Date.now();
  const went = () => ({ ms: Date.now() - begun, mode: modeNow() });
  let pending: Promise<net.HttpResponse>;
  try {
    pending = net.http.request(requestOf(input));
  } catch (error) {
    return { came: "thrown", failure: failureOf(error), ...went() };
  }
  try {
    const { status, body } = await pending;
    return { came: "answer", status, length: body.length, body: body.slice(0, MAX_BODY), ...went() };
  } catch (error) {
    return { came: "rejected", failure: failureOf(error), ...went() };
  }
}

const requests: Readonly<Record<string, Handler>> = {
  send,
  "send-many": input => Promise.all(Array.from({ length: numberOf(input, "count", 2) }, () => send(input))),
};

/** The state of each form, by its number. */
const formStates: unknown[] = [];

const forms: Readonly<Record<string, Handler>> = {
  /** Shows a form as the pack does, and reads its state after so many ticks. */
  "form-show": async input => {
    const player = world.getAllPlayers().find(each => each?.name === textOf(input, "name"));
    if (player === undefined) throw new Error("no such player");
    const number = formStates.push({ is: "open" }) - 1;
    const form = new ui.ActionFormData().title("prove").body("prove").button("yes").button("no");
    const made = tried(() => form.show(player));
    if ("failure" in made) return { number, thrown: made.failure };
    made.value.then(
      ({ cancelationReason }) => {
        formStates[number] = { is: "answered", reason: String(cancelationReason ?? "") };
      },
      (error: unknown) => {
        const reason = typeof error === "object" && error !== null ? Reflect.get(error, "reason") : "";
        formStates[number] = { is: "rejected", reason: String(reason ?? failureOf(error).name) };
      },
    );
    await waitTicks(numberOf(input, "ticks", 40));
    return { number, came: formStates[number] };
  },
  form: input => formStates[numberOf(input, "number", 0)],
};

export const handlers: Readonly<Record<string, Handler>> = { ...engine, ...stored, ...requests, ...forms };
