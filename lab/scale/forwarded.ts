import type { IncomingMessage } from "node:http";

/** `header`: appended to `X-Forwarded-For`; `kept`: as the source address of the connection, for local addresses. */
export type Forwarding = "header" | "kept";

/** Hop-by-hop headers. */
const HOPS = new Set(["connection", "keep-alive", "proxy-connection"]);
const FORWARDED = "x-forwarded-for";

type Header = [name: string, value: string];

function pairsOf(rawHeaders: readonly string[]): Header[] {
  const pairs: Header[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    pairs.push([rawHeaders[i] ?? "", rawHeaders[i + 1] ?? ""]);
  return pairs;
}

function forwarded(req: IncomingMessage, how: Forwarding): Header[] {
  const pairs = pairsOf(req.rawHeaders);
  if (how === "kept") return pairs;
  const { remoteAddress = "" } = req.socket;
  const before = pairs.filter(([name]) => name.toLowerCase() === FORWARDED).map(([, value]) => value);
  const others = pairs.filter(([name]) => name.toLowerCase() !== FORWARDED);
  return [...others, ["X-Forwarded-For", [...before, remoteAddress].join(", ")]];
}

/** Headers for a request of Node's client, with the first spelling of each name. */
export function headersFor(req: IncomingMessage, how: Forwarding): Record<string, string | string[]> {
  const headers = new Map<string, { name: string; values: string[] }>();
  for (const [name, value] of forwarded(req, how)) {
    const key = name.toLowerCase();
    if (HOPS.has(key)) continue;
    const known = headers.get(key);
    if (known) known.values.push(value);
    else headers.set(key, { name, values: [value] });
  }
  return Object.fromEntries(
    [...headers.values()].map(({ name, values }) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}

/** The head of an upgrade request, unchanged except for the client's address. */
export function rawHead(req: IncomingMessage, how: Forwarding): string {
  const lines = forwarded(req, how).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${req.method} ${req.url} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** Raw headers of a response without hop-by-hop headers and its transfer encoding. */
export const withoutHops = (rawHeaders: readonly string[]): string[] =>
  pairsOf(rawHeaders)
    .filter(([name]) => !HOPS.has(name.toLowerCase()) && name.toLowerCase() !== "transfer-encoding")
    .flat();
