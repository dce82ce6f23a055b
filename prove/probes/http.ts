import { FACTS_BODY_BYTES, POLL_HOLD_SECONDS, POLL_TIMEOUT_SECONDS } from "../../shared/limits.ts";
import type { Fields, Trial } from "../probe.ts";
import { BELOW, PATHS, PROBE_BODY_BYTES, PROBE_REQUESTS } from "../probe-http-server.ts";
import { ask, fieldsOf, listOf, numberOf, parsed, probesAt, seconds, textOf } from "../values.ts";

const address = ({ host }: Trial, path: string = PATHS.answer): string => host.url + path;

/** How one request of the script goes. */
const send = (trial: Trial, input: Fields = {}, ms?: number): Promise<Fields> =>
  ask(trial, "send", { url: address(trial), ...input }, ms);

/** How many at once, each of which the service answers after so long. */
const sendMany = async (trial: Trial, count: number, waitMs: number): Promise<Fields[]> =>
  listOf(await trial.script.ask("send-many", { url: address(trial), count, wish: { waitMs } })).map(fieldsOf);

/** What the service tells of a request. */
const told = (went: Fields): Fields => fieldsOf(parsed(textOf(went.body)));

/** Such as `answer 200`, or `rejected: InternalHttpRequestError`. */
function outcome({ came, status, failure }: Fields): string {
  if (came === "answer") return `answer ${String(status)}`;
  const { name, errorCode } = fieldsOf(failure);
  return `${textOf(came)}: ${textOf(name)}${errorCode === undefined ? "" : `; code ${String(errorCode)}`}`;
}

const after = (went: Fields): string => `after ${seconds(numberOf(went.ms))}`;
const arrived = (went: Fields): string =>
  went.came === "answer" ? `${String(told(went).bytes)} bytes arrived` : outcome(went);

const LOST = "rejected: InternalHttpRequestError";
const STATUSES = [204, 404, 413, 429, 500, 503];
const TEXT = "\u20ac\u00e4\u{1f600}";
const ANSWER_BYTES = 256 * 1024;

/** What the pack does over HTTP; each failure of these hits the connection to the sidecar as a whole. */
export const netProbes = probesAt("script", [
  {
    id: "net-answer",
    expect: "answer 200, application/json, as it is, normal execution",
    why: "everything between pack and sidecar is a request with its headers, and what is done with its answer",
    async ask(trial) {
      const went = await send(trial, { header: "as it is" });
      const { type, header } = told(went);
      return `${outcome(went)}, ${textOf(type)}, ${textOf(header)}, ${textOf(went.mode).split(":")[0]} execution`;
    },
  },
  {
    id: "net-status",
    expect: STATUSES.map(status => `answer ${status}`).join(", "),
    why: "the pack tells a wrong token, a limit and a busy sidecar apart by the status",
    async ask(trial) {
      const seen: string[] = [];
      for (const status of STATUSES) seen.push(outcome(await send(trial, { wish: { status } })));
      return seen.join(", ");
    },
  },
  {
    id: "net-text",
    expect: `300 bytes, ${TEXT}`,
    why: "chat is UTF-8 in both directions",
    async ask(trial) {
      const bytes = numberOf(told(await send(trial, { pad: 100, letter: "\u20ac" })).bytes);
      const empty = numberOf(told(await send(trial)).bytes);
      const { body } = await send(trial, { wish: { answer: TEXT } });
      return `${bytes - empty} bytes, ${textOf(body)}`;
    },
  },
  {
    id: "net-body",
    expect: "arrived whole",
    why: "the pack sends what has happened in bodies of that size",
    async ask(trial) {
      const went = await send(trial, { pad: FACTS_BODY_BYTES - 100 });
      const isWhole = numberOf(told(went).bytes) >= FACTS_BODY_BYTES - 100;
      return `${isWhole ? "arrived whole" : "lost"}; ${arrived(went)}`;
    },
  },
  {
    id: "net-answer-size",
    expect: `${ANSWER_BYTES} letters`,
    why: "the sidecar answers with everything that waits for the pack at once",
    async ask(trial) {
      const went = await send(trial, { wish: { answer: ANSWER_BYTES } });
      return went.came === "answer" ? `${String(went.length)} letters` : outcome(went);
    },
  },
  {
    id: "net-long-poll",
    expect: "answer 200",
    why: `the pack waits for work in requests that the sidecar holds for ${POLL_HOLD_SECONDS} s`,
    async ask(trial) {
      const wish = { waitMs: POLL_HOLD_SECONDS * 1_000 };
      const went = await send(trial, { wish, timeout: POLL_TIMEOUT_SECONDS }, 60_000);
      return `${outcome(went)}; ${after(went)}`;
    },
  },
  {
    id: "net-at-once",
    expect: "3 answered, sent at once",
    why: "the pack has up to three requests under way",
    async ask(trial) {
      const from = trial.host.arrived.length;
      const all = await sendMany(trial, 3, 1_000);
      const times = trial.host.arrived
        .slice(from)
        .filter(({ path }) => path === PATHS.answer)
        .map(({ atMs }) => atMs);
      const apart = Math.max(...times) - Math.min(...times);
      const answered = all.filter(({ came }) => came === "answer").length;
      return `${answered} answered, sent ${apart < 900 ? "at once" : "one after the other"}; within ${seconds(apart)}`;
    },
  },
  {
    id: "net-body-limit",
    expect: "rejected: RequestBodyTooLargeError",
    why: "the pack recognises by this error that permissions.json allows too little",
    ask: async trial => outcome(await send(trial, { pad: PROBE_BODY_BYTES + 1_024 })),
  },
  {
    id: "net-too-many",
    expect: "rejected: HttpRequestLimitExceededError",
    why: "the pack recognises by this error that permissions.json allows too few requests",
    async ask(trial) {
      const over = (await sendMany(trial, PROBE_REQUESTS + 2, 500)).find(({ came }) => came !== "answer");
      return over === undefined ? "none was refused" : outcome(over);
    },
  },
  {
    id: "net-timeout",
    expect: `${LOST}, in time`,
    why: "without it the pack would wait for a sidecar that hangs for ever",
    async ask(trial) {
      const went = await send(trial, { wish: { waitMs: 6_000 }, timeout: 1 });
      const [what, ...details] = outcome(went).split("; ");
      const isInTime = numberOf(went.ms) < 4_000;
      return `${what}, ${isInTime ? "in time" : "late"}; ${[...details, after(went)].join("; ")}`;
    },
  },
  {
    id: "net-cut",
    expect: LOST,
    why: "the pack connects again where the connection breaks",
    ask: async trial => outcome(await send(trial, { url: address(trial, PATHS.cut) })),
  },
  {
    id: "net-prefix",
    expect: "answer 200",
    why: "setup allows the sidecar's addresses by their beginning",
    ask: async trial => outcome(await send(trial, { url: address(trial, BELOW) })),
  },
  {
    id: "net-not-allowed",
    expect: "rejected: UriNotAllowedError, not sent",
    why: "the pack recognises by this error that permissions.json names another address",
    async ask(trial) {
      const from = trial.host.arrived.length;
      const went = await send(trial, { url: address(trial).replace("127.0.0.1", "localhost") });
      const [what] = outcome(went).split("; ");
      return `${what}, ${trial.host.arrived.length > from ? "sent" : "not sent"}`;
    },
  },
]);
