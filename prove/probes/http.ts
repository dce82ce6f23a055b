import { FACTS_BODY_BYTES, POLL_HOLD_SECONDS, POLL_TIMEOUT_SECONDS } from "../../shared/limits.ts";
import type { Fields, TestEnvironment } from "../probe.ts";
import { BELOW, PATHS, PROBE_BODY_BYTES, PROBE_REQUESTS } from "../probe-http-server.ts";
import { ask, fieldsOf, listOf, numberOf, parsed, probesAt, seconds, textOf } from "../values.ts";

const address = ({ httpServer }: TestEnvironment, path: string = PATHS.answer): string =>
  httpServer.url + path;

const send = (env: TestEnvironment, input: Fields = {}, ms?: number): Promise<Fields> =>
  ask(env, "send", { url: address(env), ...input }, ms);

/** Sends this many requests at the same time, each answered after this long. */
const sendMany = async (env: TestEnvironment, count: number, waitMs: number): Promise<Fields[]> =>
  listOf(await env.script.ask("send-many", { url: address(env), count, wish: { waitMs } })).map(fieldsOf);

/** The result of a request as the server saw it. */
const received = (result: Fields): Fields => fieldsOf(parsed(textOf(result.body)));

/** Such as `answer 200`, or `rejected: InternalHttpRequestError`. */
function outcome({ came, status, failure }: Fields): string {
  if (came === "answer") return `answer ${String(status)}`;
  const { name, errorCode } = fieldsOf(failure);
  return `${textOf(came)}: ${textOf(name)}${errorCode === undefined ? "" : `; code ${String(errorCode)}`}`;
}

const after = (result: Fields): string => `after ${seconds(numberOf(result.ms))}`;
const arrived = (result: Fields): string =>
  result.came === "answer" ? `${String(received(result).bytes)} bytes arrived` : outcome(result);

const LOST = "rejected: InternalHttpRequestError";
const STATUSES = [204, 404, 413, 429, 500, 503];
const TEXT = "\u20ac\u00e4\u{1f600}";
const ANSWER_BYTES = 256 * 1024;

/** The pack's HTTP requests; each failure breaks its connection to the sidecar. */
export const httpProbes = probesAt("script", [
  {
    id: "net-answer",
    expect: "answer 200, application/json, as it is, normal execution",
    why: "pack and sidecar exchange everything in requests, headers and responses",
    async ask(env) {
      const result = await send(env, { header: "as it is" });
      const { type, header } = received(result);
      return `${outcome(result)}, ${textOf(type)}, ${textOf(header)}, ${textOf(result.mode).split(":")[0]} execution`;
    },
  },
  {
    id: "net-status",
    expect: STATUSES.map(status => `answer ${status}`).join(", "),
    why: "the pack distinguishes a wrong token, a limit and a busy sidecar by the status",
    async ask(env) {
      const outcomes: string[] = [];
      for (const status of STATUSES) outcomes.push(outcome(await send(env, { wish: { status } })));
      return outcomes.join(", ");
    },
  },
  {
    id: "net-text",
    expect: `300 bytes, ${TEXT}`,
    why: "chat is UTF-8 in both directions",
    async ask(env) {
      const bytes = numberOf(received(await send(env, { pad: 100, letter: "\u20ac" })).bytes);
      const empty = numberOf(received(await send(env)).bytes);
      const { body } = await send(env, { wish: { answer: TEXT } });
      return `${bytes - empty} bytes, ${textOf(body)}`;
    },
  },
  {
    id: "net-body",
    expect: "arrived whole",
    why: "the pack sends events in bodies of that size",
    async ask(env) {
      const result = await send(env, { pad: FACTS_BODY_BYTES - 100 });
      const isWhole = numberOf(received(result).bytes) >= FACTS_BODY_BYTES - 100;
      return `${isWhole ? "arrived whole" : "lost"}; ${arrived(result)}`;
    },
  },
  {
    id: "net-answer-size",
    expect: `${ANSWER_BYTES} letters`,
    why: "the sidecar answers immediately with everything queued for the pack",
    async ask(env) {
      const result = await send(env, { wish: { answer: ANSWER_BYTES } });
      return result.came === "answer" ? `${String(result.length)} letters` : outcome(result);
    },
  },
  {
    id: "net-long-poll",
    expect: "answer 200",
    why: `the pack waits for work in requests that the sidecar holds for ${POLL_HOLD_SECONDS} s`,
    async ask(env) {
      const wish = { waitMs: POLL_HOLD_SECONDS * 1_000 };
      const result = await send(env, { wish, timeout: POLL_TIMEOUT_SECONDS }, 60_000);
      return `${outcome(result)}; ${after(result)}`;
    },
  },
  {
    id: "net-at-once",
    expect: "3 answered, sent at once",
    why: "the pack has up to three open requests",
    async ask(env) {
      const from = env.httpServer.arrived.length;
      const all = await sendMany(env, 3, 1_000);
      const times = env.httpServer.arrived
        .slice(from)
        .filter(({ path }) => path === PATHS.answer)
        .map(({ atMs }) => atMs);
      const spreadMs = Math.max(...times) - Math.min(...times);
      const response = all.filter(({ came }) => came === "answer").length;
      return `${response} answered, sent ${spreadMs < 900 ? "at once" : "one after the other"}; within ${seconds(spreadMs)}`;
    },
  },
  {
    id: "net-body-limit",
    expect: "rejected: RequestBodyTooLargeError",
    why: "the pack recognises by this error that permissions.json allows too little",
    ask: async env => outcome(await send(env, { pad: PROBE_BODY_BYTES + 1_024 })),
  },
  {
    id: "net-too-many",
    expect: "rejected: HttpRequestLimitExceededError",
    why: "the pack recognises by this error that permissions.json allows too few requests",
    async ask(env) {
      const over = (await sendMany(env, PROBE_REQUESTS + 2, 500)).find(({ came }) => came !== "answer");
      return over === undefined ? "none was rejected" : outcome(over);
    },
  },
  {
    id: "net-timeout",
    expect: `${LOST}, in time`,
    why: "without it the pack would wait forever for a sidecar that hangs",
    async ask(env) {
      const result = await send(env, { wish: { waitMs: 6_000 }, timeout: 1 });
      const [what, ...details] = outcome(result).split("; ");
      const isInTime = numberOf(result.ms) < 4_000;
      return `${what}, ${isInTime ? "in time" : "late"}; ${[...details, after(result)].join("; ")}`;
    },
  },
  {
    id: "net-cut",
    expect: LOST,
    why: "the pack reconnects when the connection breaks",
    ask: async env => outcome(await send(env, { url: address(env, PATHS.cut) })),
  },
  {
    id: "net-prefix",
    expect: "answer 200",
    why: "setup allows the sidecar's addresses by their beginning",
    ask: async env => outcome(await send(env, { url: address(env, BELOW) })),
  },
  {
    id: "net-not-allowed",
    expect: "rejected: UriNotAllowedError, not sent",
    why: "the pack recognises by this error that permissions.json names another address",
    async ask(env) {
      const from = env.httpServer.arrived.length;
      const result = await send(env, { url: address(env).replace("127.0.0.1", "localhost") });
      const [what] = outcome(result).split("; ");
      return `${what}, ${env.httpServer.arrived.length > from ? "sent" : "not sent"}`;
    },
  },
]);
