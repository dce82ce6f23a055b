/** Text of an HTTP request; the body's length is counted. */
export function requestText(
  method: string,
  target: string,
  headers: Record<string, string>,
  body?: Buffer,
): Buffer {
  const all = { Host: "127.0.0.1", ...headers, ...(body && { "Content-Length": `${body.length}` }) };
  const head = [
    `${method} ${target} HTTP/1.1`,
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
  ];
  // Latin 1, so that a header may hold any byte.
  return Buffer.concat([
    Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"),
    ...(body === undefined ? [] : [body]),
  ]);
}

/** Type of the answer that goes on until its connection ends. */
export const STREAM_TYPE = "text/event-stream";

/** One answer as it came over a connection. */
export interface RawAnswer {
  status: number;
  /** names in lower case */
  headers: Map<string, string>;
  body: Buffer;
}

/**
 * The answers in what a connection has sent, and what is left that is none: frames of a WebSocket behind a 101, or a
 * piece of an answer. One to HEAD names a length that does not follow: then the rest begins with another answer, or is empty.
 */
export function readAnswers(bytes: Buffer): { answers: RawAnswer[]; rest: Buffer } {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const [first = "", ...lines] = rest.subarray(0, Math.max(0, end)).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1]);
    if (end < 0 || Number.isNaN(status)) return { answers, rest };
    const headers = new Map(
      lines.map(line => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const after = rest.subarray(end + 4);
    if (status === 100) {
      answers.push({ status, headers, body: Buffer.alloc(0) });
      rest = after;
      continue;
    }
    // Node refuses a request without a Host with a body of no chunks.
    const length = headers.has("transfer-encoding") ? 5 : Number(headers.get("content-length") ?? 0);
    const isEmpty = status === 304 || after.length === 0 || after.subarray(0, 9).toString() === "HTTP/1.1 ";
    if (!isEmpty && headers.get("content-type") === STREAM_TYPE) {
      answers.push({ status, headers, body: after });
      return { answers, rest: Buffer.alloc(0) };
    }
    if (!isEmpty && after.length < length) return { answers, rest };
    answers.push({ status, headers, body: isEmpty ? Buffer.alloc(0) : after.subarray(0, length) });
    rest = isEmpty ? after : after.subarray(length);
    if (status === 101) return { answers, rest };
  }
}
