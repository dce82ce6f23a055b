import {
  FACTS_BODY_BYTES,
  MAX_BODY_BYTES,
  POLL_HOLD_SECONDS,
  POLL_TIMEOUT_SECONDS,
} from "../../../shared/limits.ts";
import { PATHS } from "../probe-host.ts";
import { atOnce, body, nameOf, REQUEST, row, send, told, url } from "./net-of.ts";
import {
  BUSY,
  broken,
  held,
  judge,
  numberOf,
  probesOf,
  rested,
  seconds,
  skipped,
  textOf,
  wentWords,
} from "./say.ts";

export const netProbes = probesOf("probes", [
  {
    id: "net-answer",
    kind: "promise",
    assumes: "a request with a body is answered with status and body, and execution is normal after it",
    how: "a POST to a service of the trial's own",
    rows: [REQUEST, "Execution / privileges"],
    async ask(trial) {
      const went = await send(trial);
      if (went.came !== "answer" || went.status !== 200) return broken(wentWords(went));
      return judge(
        went.mode === "normal",
        went.mode === "normal" ? "answered, in normal execution" : `answered, ${textOf(went.mode)}`,
      );
    },
  },
  {
    id: "net-headers",
    kind: "promise",
    assumes: "the headers that a script sets arrive as they are",
    how: "a POST whose type and own header the service tells of",
    rows: [REQUEST],
    async ask(trial) {
      const { type, header } = told(await send(trial, { header: "as it is" }));
      return judge(
        type === "application/json" && header === "as it is",
        `type ${textOf(type) || "none"}, header ${textOf(header) || "none"}`,
      );
    },
  },
  {
    id: "net-status",
    kind: "promise",
    assumes: "an answer of any status is an answer and no error",
    how: "answers with 204, 404, 413, 429, 500 and 503 are asked for",
    rows: [REQUEST],
    async ask(trial) {
      const wrong: string[] = [];
      for (const status of [204, 404, 413, 429, 500, 503]) {
        const went = await send(trial, { wish: { status } });
        if (went.came !== "answer" || went.status !== status) wrong.push(`${status} is ${wentWords(went)}`);
      }
      return judge(wrong.length === 0, wrong.length === 0 ? "all of them" : wrong.join("; "));
    },
  },
  {
    id: "net-text",
    kind: "promise",
    assumes: "bodies are UTF-8 in both directions",
    how: "a body of letters with three bytes each, and an answer with such letters",
    rows: [REQUEST],
    async ask(trial) {
      const there = await body(trial, { pad: 100, letter: "\u20ac" }, 300);
      if (there.state !== "held") return there;
      const back = textOf((await send(trial, { wish: { answer: "\u20ac\u00e4\u{1f600}" } })).body);
      return judge(
        back === "\u20ac\u00e4\u{1f600}",
        back === "\u20ac\u00e4\u{1f600}" ? "as it was sent" : "other letters came back",
      );
    },
  },
  {
    id: "net-body-facts",
    kind: "promise",
    assumes: `a body of ${FACTS_BODY_BYTES / 1024} KiB, as full as the pack fills one, arrives whole`,
    how: "a body of that size whose bytes the service counts",
    rows: [REQUEST],
    ask: trial => body(trial, { pad: FACTS_BODY_BYTES - 100 }, FACTS_BODY_BYTES - 100),
  },
  {
    id: "net-body-allowed",
    kind: "inference",
    assumes: `a body larger than ${MAX_BODY_BYTES / 1024} KiB arrives whole where max_body_bytes allows it`,
    how: "a body of 100 KiB, where 128 KiB are allowed",
    rows: [REQUEST],
    ask: trial => body(trial, { pad: 100 * 1024 }, 100 * 1024),
  },
  {
    id: "net-answer-size",
    kind: "promise",
    assumes: "an answer of 256 KiB reaches the script whole",
    how: "an answer of that size is asked for",
    rows: [REQUEST],
    async ask(trial) {
      const went = await send(trial, { wish: { answer: 256 * 1024 } });
      return judge(
        went.length === 256 * 1024,
        went.came === "answer" ? `${numberOf(went.length)} letters came` : wentWords(went),
      );
    },
  },
  {
    id: "net-long-poll",
    kind: "promise",
    assumes: `a request that is held for ${POLL_HOLD_SECONDS} s is answered then`,
    how: `a POST that the service answers after ${POLL_HOLD_SECONDS} s, with a timeout of ${POLL_TIMEOUT_SECONDS} s`,
    rows: [REQUEST, row("`timeout`")],
    async ask(trial) {
      const wish = { waitMs: POLL_HOLD_SECONDS * 1_000 };
      const went = await send(trial, { wish, timeout: POLL_TIMEOUT_SECONDS }, 60_000);
      return judge(
        went.came === "answer" && numberOf(went.ms) >= wish.waitMs - 500,
        `${wentWords(went)} after ${seconds(numberOf(went.ms))}`,
      );
    },
  },
  {
    id: "net-two-at-once",
    kind: "promise",
    assumes: "two requests are under way at once",
    how: "two POSTs in one tick, each of which the service answers after a second",
    rows: [REQUEST],
    ask: trial => atOnce(trial, 2),
  },
  {
    id: "net-three-at-once",
    kind: "promise",
    assumes: "three requests are under way at once, beside those of the pack",
    how: "three POSTs in one tick, each of which the service answers after a second",
    rows: [REQUEST],
    ask: trial => atOnce(trial, 3),
  },
  {
    id: "net-delay",
    kind: "inference",
    assumes: "an answer reaches the script within two ticks after it was sent",
    how: "the best of five times from the answer of the service to what comes after it in the script",
    rows: [REQUEST],
    async ask(trial) {
      const bestOf = async (): Promise<number> => {
        let best = Number.POSITIVE_INFINITY;
        for (let turn = 0; turn < 5; turn++) {
          const went = await send(trial);
          const took = numberOf(went.at) - numberOf(told(went).at);
          if (took < best) best = took;
        }
        return best;
      };
      const { measured: best, isSlow } = await rested(trial, bestOf, ms => ms > 100);
      if (best === Number.POSITIVE_INFINITY) return broken("no answer came");
      return judge(!isSlow, isSlow ? `${best} ms; ${BUSY}` : `${best} ms`);
    },
  },
  {
    id: "net-kept-alive",
    kind: "inference",
    assumes: "connections are kept for the next request",
    how: "three POSTs one after the other, whose connections the service counts",
    rows: [row("keep-alive, redirects, TLS checks")],
    async ask(trial) {
      const numbers: number[] = [];
      for (let turn = 0; turn < 3; turn++) numbers.push(numberOf(told(await send(trial)).connection));
      if (numbers.some(Number.isNaN)) return broken("no answer came");
      const count = new Set(numbers).size;
      return judge(count === 1, `${count} for three requests`);
    },
  },
  {
    id: "net-redirect",
    kind: "inference",
    assumes: "a redirect is an answer, and is not followed",
    how: "a POST that the service answers with 302",
    rows: [row("keep-alive, redirects, TLS checks")],
    async ask(trial) {
      const went = await send(trial, { url: url(trial, PATHS.away) });
      return judge(went.came === "answer" && went.status === 302, wentWords(went));
    },
  },
  {
    id: "net-get",
    kind: "inference",
    assumes: "a request without a body, by GET, does not stop the game",
    how: "a GET that the service answers after a second, and the ticks meanwhile",
    rows: [row("POST, PUT, DELETE without a body")],
    async ask(trial) {
      const went = await send(trial, { method: "Get", wish: { waitMs: 0 } });
      if (went.came === "thrown") return skipped(`the call throws: ${nameOf(went)}`);
      return went.came === "answer"
        ? held(`answered after ${numberOf(went.ticks)} ticks`)
        : broken(wentWords(went));
    },
  },
]);
