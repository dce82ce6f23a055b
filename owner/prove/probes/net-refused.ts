import type { Seen, Trial } from "../probe.ts";
import { BELOW, NOBODY, PATHS, PROBE_BODY_BYTES, PROBE_REQUESTS } from "../probe-host.ts";
import { CODES, ERRORS, fieldsOf, nameOf, REQUEST, refused, row, send, url } from "./net-of.ts";
import {
  ask,
  askRecord,
  broken,
  judge,
  listOf,
  numberOf,
  probesOf,
  recordOf,
  seconds,
  wentWords,
} from "./say.ts";

/** The pack tells its owner the name of an error alone, and what numbers systems other than Linux have, nobody has written down. */
const coded = ({ platform }: Trial, code: unknown, onLinux: number): Seen =>
  judge(platform === "linux" ? code === onLinux : typeof code === "number", `code ${String(code ?? "none")}`);

export const refusedProbes = probesOf("probes", [
  {
    id: "net-body-limit",
    kind: "promise",
    assumes: `a body over the limit of ${PROBE_BODY_BYTES / 1024} KiB is refused with RequestBodyTooLargeError, which has both numbers`,
    how: "a body that is a kilobyte larger",
    rows: [ERRORS],
    ask: async trial =>
      refused(await send(trial, { pad: PROBE_BODY_BYTES + 1_024 }), "RequestBodyTooLargeError", [
        "providedBytes",
        "maxBytes",
      ]),
  },
  {
    id: "net-body-bytes",
    kind: "inference",
    assumes: "the limit of a body counts bytes of UTF-8",
    how: "a body of fewer letters than the limit, with three bytes each, that is larger in bytes",
    rows: [ERRORS],
    ask: async trial =>
      refused(await send(trial, { pad: PROBE_BODY_BYTES / 2, letter: "\u20ac" }), "RequestBodyTooLargeError"),
  },
  {
    id: "net-too-many",
    kind: "promise",
    assumes:
      "a request over max_concurrent_requests is refused with HttpRequestLimitExceededError, and waits for nothing",
    how: `${PROBE_REQUESTS + 2} POSTs in one tick where ${PROBE_REQUESTS} are allowed`,
    rows: [ERRORS],
    async ask(trial) {
      const all = listOf(
        await ask(trial, "send-many", { url: url(trial), count: PROBE_REQUESTS + 2, wish: { waitMs: 500 } }),
      ).map(recordOf);
      const over = all.filter(({ came }) => came !== "answer");
      const [first] = over;
      if (first === undefined) return broken("none of them was refused");
      return refused(first, "HttpRequestLimitExceededError", ["inFlightRequests", "maxConcurrentRequests"]);
    },
  },
  {
    id: "net-timeout",
    kind: "promise",
    assumes:
      "a request that is not answered within its timeout, in seconds, is rejected with InternalHttpRequestError",
    how: "a POST with a timeout of 1 s that the service answers after 6 s",
    rows: [row("`timeout`"), ERRORS],
    async ask(trial) {
      const went = await send(trial, { wish: { waitMs: 6_000 }, timeout: 1 });
      const after = `after ${seconds(numberOf(went.ms))}`;
      const isSo =
        nameOf(went) === "InternalHttpRequestError" && went.came === "rejected" && numberOf(went.ms) < 4_000;
      return judge(isSo, `${wentWords(went)} ${after}`);
    },
  },
  {
    id: "net-timeout-code",
    kind: "inference",
    assumes: "the code of a timeout is 110 on Linux, and a number on Windows",
    how: "a POST with a timeout of 1 s that the service answers after 3 s",
    rows: [CODES],
    async ask(trial) {
      const { errorCode } = fieldsOf(await send(trial, { wish: { waitMs: 3_000 }, timeout: 1 }));
      return coded(trial, errorCode, 110);
    },
  },
  {
    id: "net-refused",
    kind: "inference",
    assumes:
      "a request to where nobody listens is rejected with InternalHttpRequestError, which has code and message",
    how: "a POST to a port of this machine that is not open",
    rows: [ERRORS],
    ask: async trial =>
      refused(await send(trial, { url: NOBODY }), "InternalHttpRequestError", ["errorCode", "errorMessage"]),
  },
  {
    id: "net-refused-code",
    kind: "inference",
    assumes: "the code of a connection that is refused is 111 on Linux, and a number on Windows",
    how: "a POST to a port of this machine that is not open",
    rows: [CODES],
    async ask(trial) {
      const { errorCode } = fieldsOf(await send(trial, { url: NOBODY }));
      return coded(trial, errorCode, 111);
    },
  },
  {
    id: "net-cut",
    kind: "promise",
    assumes: "a connection that breaks before an answer is rejected with InternalHttpRequestError",
    how: "a POST whose connection the service closes",
    rows: [ERRORS, CODES],
    ask: async trial =>
      refused(await send(trial, { url: url(trial, PATHS.cut) }), "InternalHttpRequestError"),
  },
  {
    id: "net-prefix",
    kind: "promise",
    assumes: "a URI is allowed when it begins with an entry of allowed_uris",
    how: "a POST to an address that is listed by its beginning only",
    rows: [row("`allowed_uris`")],
    async ask(trial) {
      const went = await send(trial, { url: url(trial, BELOW) });
      return judge(
        went.came === "answer",
        went.came === "answer" ? "allowed by its beginning" : wentWords(went),
      );
    },
  },
  {
    id: "net-not-allowed",
    kind: "promise",
    assumes:
      "a URI that is not in allowed_uris is refused with UriNotAllowedError, which has it, and nothing is sent",
    how: "a POST to the service under another name of this machine",
    rows: [row("`allowed_uris`"), ERRORS],
    async ask(trial) {
      const since = trial.host.arrived.length;
      const went = await send(trial, { url: url(trial).replace("127.0.0.1", "localhost") });
      const seen = refused(went, "UriNotAllowedError", ["uri"]);
      return trial.host.arrived.length > since ? broken(`${wentWords(went)}, and it was sent`) : seen;
    },
  },
  {
    id: "net-malformed",
    kind: "promise",
    assumes: "an address that is none is refused with MalformedUriError",
    how: "a POST to the text nowhere",
    rows: [ERRORS, row("order of checks")],
    ask: async trial => refused(await send(trial, { url: "nowhere" }), "MalformedUriError"),
  },
  {
    id: "net-rejects",
    kind: "inference",
    assumes: "every refusal is a rejection, and none is thrown by the call",
    how: "four requests that are refused: address, list, size, port",
    rows: [REQUEST],
    async ask(trial) {
      const all = [
        await send(trial, { url: "nowhere" }),
        await send(trial, { url: url(trial).replace("127.0.0.1", "localhost") }),
        await send(trial, { pad: PROBE_BODY_BYTES + 1_024 }),
        await send(trial, { url: NOBODY }),
      ];
      const thrown = all.filter(({ came }) => came === "thrown").map(nameOf);
      return judge(
        thrown.length === 0,
        thrown.length === 0 ? "all four are rejected" : `thrown: ${thrown.join(", ")}`,
      );
    },
  },
  {
    id: "net-errors",
    kind: "inference",
    assumes: "the errors of requests are real Errors",
    how: "the error of a port that is not open is asked whether it is one",
    rows: [ERRORS],
    async ask(trial) {
      const { failure } = await send(trial, { url: NOBODY });
      return judge(
        recordOf(failure).isError === true,
        recordOf(failure).isError === true ? "it is an Error" : "it is none",
      );
    },
  },
  {
    id: "net-cancel",
    kind: "promise",
    assumes: "cancelAll rejects the open requests at once with InternalHttpRequestError",
    how: "a POST that the service answers after 8 s, and cancelAll five ticks later",
    rows: [REQUEST, CODES],
    async ask(trial) {
      const went = await askRecord(trial, "send-cancelled", { url: url(trial), wish: { waitMs: 8_000 } });
      const seen = `${wentWords(went)} after ${seconds(numberOf(went.ms))}`;
      return judge(
        went.came === "rejected" && nameOf(went) === "InternalHttpRequestError" && numberOf(went.ms) < 3_000,
        seen,
      );
    },
  },
]);
