import type { RequestHandler } from "express";
import type { ServiceSettings } from "../../../shared/public/service.ts";
import type { Scope } from "../../config/admin-keys.ts";
import type { ListenerDeps, Route } from "../../kernel/http/deps.ts";
import { typeOf } from "../../kernel/http/file-types.ts";
import { prepareResponse, sendPrepared } from "../../kernel/http/prepared.ts";
import type { World } from "../servers/world.ts";
import { iconOf, manifestOf, type Owner, SIGN_IN_PAGE } from "./page.ts";
import { pageRoute } from "./page-route.ts";
import type { WebFile } from "./web-files.ts";

/** An image that is opened as a page of its own is nobody's origin, runs no script and loads nothing, whoever has drawn it. */
const IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/** Of files that have a hash of their content in their name. */
const FOR_EVER = "public, max-age=31536000, immutable";
const ASK_AGAIN = "no-cache";

/** What players type to join a game server: one address may lead to all of them. */
const joinAddressOf = ({ web }: ListenerDeps, { info }: World): string => web.joinAddress || info.address;

/** What is told of how a game server is joined. */
function joinOf(deps: ListenerDeps, world: World): Pick<ServiceSettings, "joinAddress" | "maxPlayers"> {
  const [joinAddress, { maxPlayers }] = [joinAddressOf(deps, world), world.info];
  return { ...(joinAddress !== "" && { joinAddress }), ...(maxPlayers > 0 && { maxPlayers }) };
}

const MODERATION: readonly Scope[] = ["players:kick", "chat:announce", "bans:read", "bans:write"];

/** `GET /console.json`: what a page has to know, made ready once for each mode of the chat and what there are keys for. */
export function settingsRoute(deps: ListenerDeps): Route<"settings"> {
  const { api, keys, logo, web, webChat, worlds } = deps;
  const { limits } = api;
  const { show, staysFor } = api.knownPlayers;
  const settings = {
    title: web.title,
    ...(web.accent !== "" && { accent: web.accent }),
    ...(logo && { logo: logo.path }),
    ...joinOf(deps, worlds.first),
    ...(!worlds.isOne && {
      servers: worlds.all.map(world => ({
        name: world.name,
        title: world.info.title || null,
        ...joinOf(deps, world),
      })),
    }),
    refreshMs: api.metricsRefreshInterval,
    heartbeatMs: api.heartbeatInterval,
    verificationMs: api.verificationTimeout,
    messageLength: limits.messageLength,
    messagesPerSecond: limits.messagesPerSecond,
    messagesBurst: limits.messagesBurst,
    whitelistNames: api.whitelistNames,
    knownPlayers: show,
  };
  const made = new Map<string, RequestHandler>();
  return (req, res, next) => {
    const moderation = MODERATION.some(keys.any);
    const stays = show !== "off" && keys.any("players:read") && { staysForMs: staysFor };
    const now = { ...stays, webChat: webChat.mode(), whitelist: keys.any("whitelist:read"), moderation };
    const name = Object.values(now).join();
    const route = made.get(name) ?? settingsFile({ ...settings, ...now });
    made.set(name, route);
    route(req, res, next);
  };
}

const settingsFile = (json: ServiceSettings): RequestHandler =>
  fileRoute({ path: "console.json", content: Buffer.from(JSON.stringify(json)) });

/** The client for pages without a bundler, which is there without the console too. */
const CLIENT = "client.js";

/**
 * Routes of the web console and of the client by path: what was built and the logo, and the client alone when the console is
 * turned off.
 */
export function consoleRoutes(deps: ListenerDeps): Record<string, RequestHandler> {
  const { logo, signInRoutes, web, webFiles, worlds } = deps;
  // What the page of a sign-in loads is there without the console, too.
  const isNeeded = (path: string): boolean =>
    path === CLIENT || (signInRoutes !== undefined && /^assets\//.test(path));
  const built = webFiles.filter(({ path }) => path !== SIGN_IN_PAGE && (web.enabled || isNeeded(path)));
  const page = built.find(({ path }) => path === "index.html");
  const ownerOf = (world: World): Owner => ({
    title: world === worlds.first ? web.title : `${world.info.title || world.name} – ${web.title}`,
    accent: web.accent,
    joinAddress: joinAddressOf(deps, world),
    maxPlayers: world.info.maxPlayers,
    logo: logo?.path,
    icon: page && iconOf(page.content.toString()),
  });
  const files = [...built.filter(file => file !== page), ...(logo ? [logo] : [])];
  return {
    ...Object.fromEntries(files.map(file => [`/${file.path}`, fileRoute(file)])),
    ...(page && {
      "/": pageRoute(deps, page.content, ownerOf),
      "/manifest.webmanifest": fileRoute({
        path: "manifest.webmanifest",
        content: Buffer.from(manifestOf(ownerOf(worlds.first))),
      }),
    }),
    ...(logo && { "/favicon.ico": fileRoute(logo, ASK_AGAIN) }),
  };
}

/** Sends a file from bytes that were made ready when the service started, compressed for whoever takes that. */
function fileRoute(
  { path, content }: WebFile,
  kept = /\.[0-9a-f]{8}\.\w+$/.test(path) ? FOR_EVER : ASK_AGAIN,
): RequestHandler {
  const answer = prepareResponse(content, {
    "Content-Type": typeOf(path),
    ...(path.endsWith(".svg") && { "Content-Security-Policy": IMAGE_POLICY }),
    "Cache-Control": kept,
  });
  return (req, res) => sendPrepared(answer, req, res);
}
