import { extname } from "node:path";
import type { Request, RequestHandler } from "express";
import type { ServiceSettings } from "../../../client/types.ts";
import { WEB_CHAT_MODES } from "../../../shared/web-chat.ts";
import type { WebFile } from "../../web-files.ts";
import type { Trust } from "../client-address.ts";
import { ownOrigin } from "../origin.ts";
import { prepareResponse, sendPrepared } from "../prepared.ts";
import type { ListenerDeps, Route } from "./deps.ts";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".jpg": "image/jpeg",
};

/** An image that is opened as a page of its own is nobody's origin, runs no script and loads nothing, whoever has drawn it. */
const IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/** Files below `assets/` have a hash of their content in their name. */
const FOR_EVER = "public, max-age=31536000, immutable";
const ASK_AGAIN = "no-cache";

/** `GET /console.json`: what a page has to know, made ready for each mode of the chat, with and without keys. */
export function settingsRoute({
  api,
  info,
  keys,
  logo,
  trust,
  web,
  webChat,
}: ListenerDeps): Route<"settings"> {
  const { limits } = api;
  const joinAddress = web.joinAddress || info.address;
  const settings: Omit<ServiceSettings, "webChat" | "whitelist"> = {
    title: web.title,
    ...(web.accent !== "" && { accent: web.accent }),
    ...(logo && { logo: logo.path }),
    ...(joinAddress !== "" && { joinAddress }),
    ...(info.maxPlayers > 0 && { maxPlayers: info.maxPlayers }),
    refreshMs: api.metricsRefreshInterval,
    heartbeatMs: api.heartbeatInterval,
    verificationMs: api.verificationTimeout,
    messageLength: limits.messageLength,
    messagesPerSecond: limits.messagesPerSecond,
    messagesBurst: limits.messagesBurst,
    whitelistNames: api.whitelistNames,
  };
  const byMode = (whitelist: boolean) =>
    new Map(
      WEB_CHAT_MODES.map(mode => {
        const json: ServiceSettings = { ...settings, webChat: mode, whitelist };
        const file = { path: "console.json", content: Buffer.from(JSON.stringify(json)) };
        return [mode, fileRoute(file, trust, web.frameOrigins)];
      }),
    );
  const [withKeys, without] = [byMode(true), byMode(false)];
  return (req, res, next) =>
    (keys.any("whitelist:read") ? withKeys : without).get(webChat.mode())?.(req, res, next);
}

/** The client for pages without a bundler, which is there without the console too. */
const CLIENT = "client.js";

/** Routes of the web console and of the client by path: what was built and the logo, and the client alone when the console is turned off. */
export function consoleRoutes({ logo, trust, web, webFiles }: ListenerDeps): Record<string, RequestHandler> {
  const built = webFiles.filter(({ path }) => web.enabled || path === CLIENT);
  const served = logo ? [...built, logo] : built;
  return Object.fromEntries(
    served.map(file => [
      file.path === "index.html" ? "/" : `/${file.path}`,
      fileRoute(file, trust, web.frameOrigins),
    ]),
  );
}

/** Sends a file from bytes that were made ready when the service started, compressed for whoever takes that. */
function fileRoute(
  { path, content }: WebFile,
  trust: Trust,
  frameOrigins: readonly string[],
): RequestHandler {
  const answer = prepareResponse(content, {
    "Content-Type": TYPES[extname(path)] ?? "application/json; charset=utf-8",
    ...(path.endsWith(".svg") && { "Content-Security-Policy": IMAGE_POLICY }),
    "Cache-Control": path.startsWith("assets/") ? FOR_EVER : ASK_AGAIN,
  });
  const isPage = path.endsWith(".html");
  return (req, res) =>
    sendPrepared(answer, req, res, isPage ? pageHeaders(req, trust, frameOrigins) : undefined);
}

/** Nothing but the service itself may be loaded or asked, and only pages of the listed origins may frame the page. */
const pageHeaders = (
  req: Request,
  trust: Trust,
  frameOrigins: readonly string[],
): Record<string, string> => ({
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self'${socketOrigin(req, trust)}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameOrigins.length === 0 ? "'none'" : frameOrigins.join(" ")}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
});

/** Older browsers do not count WebSockets of the same host as `'self'`. */
function socketOrigin(req: Request, trust: Trust): string {
  const origin = ownOrigin(req, trust).replace(/^http/, "ws");
  return /^wss?:\/\/[\w.[\]:-]+$/.test(origin) ? ` ${origin}` : "";
}
