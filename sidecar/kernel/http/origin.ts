import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import cors from "cors";
import type { RequestHandler } from "express";
import { sendAnswer } from "./answer.ts";
import type { Trust } from "./client-address.ts";
import { ADMIN_KEY_HEADER } from "./keys.ts";

/**
 * `none`: not a browser's cross-site request; `own`: a page of this service; `listed`: in the configuration; `public`: any other
 * page, which may read this.
 */
export type OriginStatus = "none" | "own" | "listed" | "public" | "refused";
type OriginCheck = (req: IncomingMessage) => OriginStatus;

/** Scheme, name and port only, without user, path or escapes. */
const WRITTEN = /^https?:\/\/[^\s/?#@\\%]+$/i;

/** An origin in the form of the URL standard: lower case, `xn--`, shortest address, no default port. Undefined: not an origin. */
export const originOf = (text: string): string | undefined =>
  WRITTEN.test(text) && URL.canParse(text) ? new URL(text).origin : undefined;

/** Without the trailing dot of the name, which some proxies remove. */
const undotted = (origin: string | undefined): string | undefined => origin?.replace(/\.(?=:\d+$|$)/, "");

/** Checks the `Origin` of a request. `isPublic`: whether pages of all origins may make it. */
export function createOriginCheck(
  listed: readonly string[],
  trust: Trust,
  isPublic: (req: IncomingMessage) => boolean,
): OriginCheck {
  const allowed = new Set(listed);
  return req => {
    const { origin } = req.headers;
    if (origin === undefined) return "none";
    // An app's origin, such as capacitor://localhost, is compared unchanged.
    if (allowed.has(origin)) return "listed";
    const wanted = originOf(origin);
    if (wanted !== undefined && allowed.has(wanted)) return "listed";
    if (wanted !== undefined && undotted(wanted) === ownOrigin(req, trust)) return "own";
    return isPublic(req) ? "public" : "refused";
  };
}

/** The origin of this service for the client; undefined if its name cannot be one. */
const ownOrigin = (req: IncomingMessage, trust: Trust): string | undefined =>
  undotted(originOf(saidOrigin(req, trust)));

const saidOrigin = (req: IncomingMessage, trust: Trust): string =>
  `${ownScheme(req, trust)}://${ownHost(req, trust)}`;

/** The origin with which a rejected one was compared. */
export const comparedWith = (req: IncomingMessage, trust: Trust): string =>
  ownOrigin(req, trust) ?? saidOrigin(req, trust);

/** Some proxies send `ws` and `wss` for an upgrade, while the page has an `http` or `https` origin. */
const ownScheme = (req: IncomingMessage, trust: Trust): string =>
  (forwarded(req, trust, "proto") ?? "http").toLowerCase().replace(/^ws(?=s?$)/, "http");

/** Whether the client used TLS. */
export const isSecure = (req: IncomingMessage, trust: Trust): boolean => ownScheme(req, trust) === "https";

const ORIGIN = /^https?:\/\/[\w.[\]:-]{1,255}$/;
const PREFIX = /^(?:\/[\w.~-]{1,255}){1,9}\/?$/;

/**
 * The address of this service for the client, with a trailing slash, below the `X-Forwarded-Prefix` of a trusted proxy.
 * Empty if the request has no valid origin.
 */
export function ownAddress(req: IncomingMessage, trust: Trust): string {
  const origin = ownOrigin(req, trust) ?? "";
  if (!ORIGIN.test(origin)) return "";
  const prefix = forwarded(req, trust, "prefix") ?? "";
  return `${origin}${PREFIX.test(prefix) ? prefix.replace(/\/$/, "") : ""}/`;
}

/** The name, with the port, that the client uses for this service. Node reads bytes as Latin-1; a proxy may send UTF-8. */
export const ownHost = (req: IncomingMessage, trust: Trust): string =>
  Buffer.from(forwarded(req, trust, "host") ?? req.headers.host ?? "", "latin1").toString();

/** A value that a trusted proxy sends in `X-Forwarded-...` or `Forwarded`. */
function forwarded(
  req: IncomingMessage,
  trust: Trust,
  what: "host" | "prefix" | "proto",
): string | undefined {
  const said = req.headers[`x-forwarded-${what}`]?.toString();
  if (said === undefined && req.headers.forwarded === undefined) return undefined;
  if (!trust(req.socket.remoteAddress ?? "", 0)) return undefined;
  // Each proxy appends its value; the first is the client's.
  return said?.split(",")[0]?.trim() || inForwarded(req.headers.forwarded ?? "", what);
}

const PAIR = /[\s;]*([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))\s*(?=[;,]|$)/gy;

/** A value of the first element of a `Forwarded` header (RFC 7239). */
function inForwarded(header: string, wanted: string): string | undefined {
  for (const [, name = "", quoted, plain] of header.matchAll(PAIR))
    if (name.toLowerCase() === wanted) return quoted?.replace(/\\(.)/g, "$1") ?? plain;
  return undefined;
}

const PREFLIGHT_MAX_AGE_SECONDS = 600;
const ALLOWED_HEADERS = [
  "Content-Type",
  "Idempotency-Key",
  "If-None-Match",
  "Last-Event-ID",
  ADMIN_KEY_HEADER,
];
const EXPOSED_HEADERS = [
  ...["Allow", "ETag", "Link", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-Id"],
];

/** Headers with which a page of a listed origin can read a response. */
export const corsHeaders = (req: IncomingMessage): Record<string, string> => ({
  "Access-Control-Allow-Origin": req.headers.origin ?? "",
  "Access-Control-Allow-Credentials": "true",
  "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(","),
});

/** Headers that let any page read an answer to a request without cookies. */
export const PUBLIC_CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(","),
};

/**
 * Answers preflights of listed origins and of public reads, whose responses already have their CORS headers. Any header is
 * allowed: tracing libraries add their own to every request.
 */
export function createPreflights(listed: readonly string[]): RequestHandler {
  const allow = cors({
    origin: [...listed],
    credentials: true,
    methods: ["GET", "HEAD", "POST", "DELETE"],
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    preflightContinue: true,
  });
  return (req, res, next) => {
    if (req.method !== "OPTIONS" || !res.hasHeader("Access-Control-Allow-Origin")) return next();
    const requested = req.get("Access-Control-Request-Headers");
    if (res.getHeader("Access-Control-Allow-Origin") === "*") {
      const headers = {
        "Access-Control-Allow-Methods": "GET,HEAD",
        "Access-Control-Max-Age": PREFLIGHT_MAX_AGE_SECONDS,
      };
      sendAnswer(res, {
        status: 204,
        headers: requested ? { ...headers, "Access-Control-Allow-Headers": requested } : headers,
      });
      return;
    }
    const headers = requested && { "Access-Control-Allow-Headers": `${ALLOWED_HEADERS},${requested}` };
    // Some browsers wait for a body without this length.
    allow(req, res, () => sendAnswer(res, { status: 204, headers: { "Content-Length": "0", ...headers } }));
  };
}

type HostCheck = (req: IncomingMessage) => boolean;

/** A name of a `Host` header or of the configuration, as URLs write it, without port, brackets and final dot. */
function nameOf(host: string): string {
  const origin = originOf(`http://${isIPv6(host) ? `[${host}]` : host}`);
  return origin === undefined ? "" : new URL(origin).hostname.replace(/^\[|\]$|\.$/g, "");
}

/** Whether a name or an address is a loopback one, which no page can have as its own. */
export const isLoopback = (name: string): boolean =>
  /^(localhost|::1|127\.[\d.]+|::ffff:7f[\da-f]{2}:[\da-f]+)$/.test(nameOf(name));

export const isForLoopback: HostCheck = req => isLoopback(req.headers.host ?? "");

/** Addresses that listen on all interfaces, and are no names for clients. */
const ALL_ADDRESSES = ["0.0.0.0", "::"];

/**
 * Checks that a request has one of the host names, the address of the listener, or a loopback name. Without configured names
 * any name is accepted, except on loopback without a trusted proxy, where a page could resolve its own name to this machine.
 */
export function createHostCheck(
  { host, hosts, trustProxy }: { host: string; hosts: readonly string[]; trustProxy: unknown },
  trust: Trust,
): HostCheck {
  const isOwnOnly = isLoopback(host) && !trustProxy;
  if (hosts.length === 0 && !isOwnOnly) return () => true;
  const own = ALL_ADDRESSES.includes(nameOf(host)) ? [] : [host];
  const known = new Set([...hosts, ...own].map(nameOf));
  /** the last accepted host, since most requests have the same */
  let fine: string | undefined;
  return req => {
    const said = ownHost(req, trust);
    if (said === fine) return true;
    const name = nameOf(said);
    const isKnown = name !== "" && (known.has(name) || isLoopback(name));
    if (isKnown) fine = said;
    return isKnown;
  };
}
