import type { IncomingMessage } from "node:http";
import type { Trust } from "./client-address.ts";

/** `none`: not a browser's cross-site request; `own`: a page of this service; `listed`: in the configuration. */
type OriginStatus = "none" | "own" | "listed" | "refused";
type OriginCheck = (req: IncomingMessage) => OriginStatus;

/** Checks the `Origin` of a request by exact comparison. */
export function createOriginCheck(listed: readonly string[], trust: Trust): OriginCheck {
  const allowed = new Set(listed);
  return req => {
    const { origin } = req.headers;
    if (origin === undefined) return "none";
    if (allowed.has(origin)) return "listed";
    return origin === ownOrigin(req, trust) ? "own" : "refused";
  };
}

/** The origin under which the client sees this service. */
function ownOrigin(req: IncomingMessage, trust: Trust): string {
  const protocol = forwarded(req, trust, "x-forwarded-proto");
  return `${protocol ?? "http"}://${ownHost(req, trust)}`.toLowerCase();
}

const ORIGIN = /^https?:\/\/[\w.[\]:-]{1,255}$/;
const PREFIX = /^(?:\/[\w.~-]{1,255}){1,9}\/?$/;

/**
 * The address under which the client sees this service, with a slash at its end: below the path that a believed proxy says in
 * `X-Forwarded-Prefix`. Blank where the request names no origin that could be one.
 */
export function ownAddress(req: IncomingMessage, trust: Trust): string {
  const origin = ownOrigin(req, trust);
  if (!ORIGIN.test(origin)) return "";
  const prefix = forwarded(req, trust, "x-forwarded-prefix") ?? "";
  return `${origin}${PREFIX.test(prefix) ? prefix.replace(/\/$/, "") : ""}/`;
}

/** The name, with the port, by which the client calls this service. */
export const ownHost = (req: IncomingMessage, trust: Trust): string =>
  forwarded(req, trust, "x-forwarded-host") ?? req.headers.host ?? "";

/** What a believed proxy says. */
function forwarded(req: IncomingMessage, trust: Trust, header: string): string | undefined {
  const said = req.headers[header];
  return said !== undefined && trust(req.socket.remoteAddress ?? "", 0) ? first(said) : undefined;
}

/** A forwarded header holds the value of each proxy in turn; the first is the client's. */
function first(header: string | string[]): string | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.split(",")[0]?.trim();
  return value === "" ? undefined : value;
}
