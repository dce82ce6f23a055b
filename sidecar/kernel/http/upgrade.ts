import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

const OF_UPGRADE = /^(upgrade|http2-settings)$/i;

/** Whether a request asks for a WebSocket, and not for another protocol such as `h2c`. */
export const wantsWebSocket = (req: IncomingMessage): boolean =>
  req.headers.upgrade?.trim().toLowerCase() === "websocket";

/** Whether a request that offers another protocol has a body: Node 26 reads that as HTTP, before it hands the connection out. */
export const offersWithBody = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade !== undefined &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0);

/**
 * Answers a request that offers another protocol as a plain one (RFC 9110, section 7.8): some HTTP clients, such as Java's, make
 * that offer with each first request. `serve` gets the connection with the request's bytes, without the offer; `head` follows the
 * headers.
 */
export function servePlainly(
  serve: (raw: Duplex) => void,
  req: IncomingMessage,
  raw: Duplex,
  head: Buffer,
): void {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`];
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
    const [name = "", value = ""] = req.rawHeaders.slice(i, i + 2);
    if (OF_UPGRADE.test(name)) continue;
    lines.push(`${name}: ${name.toLowerCase() === "connection" ? withoutOffer(value) : value}`);
  }
  raw.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  serve(raw);
}

function withoutOffer(connection: string): string {
  const options = connection.split(",").map(option => option.trim());
  return options.filter(option => !OF_UPGRADE.test(option)).join(", ");
}
