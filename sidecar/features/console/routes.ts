import type { ServiceSettings } from "../../../shared/public/service.ts";
import { MODERATOR_SCOPES, type Scope } from "../../../shared/public/words.ts";
import type { Config } from "../../config/settings.ts";
import {
  type PreparedResponse,
  preparedAnswer,
  prepareResponse,
  sendAnswer,
} from "../../kernel/http/answer.ts";
import type { ApiSettings } from "../../kernel/http/description.ts";
import type { Keys } from "../../kernel/http/keys.ts";
import { typeOf } from "../../kernel/http/markup.ts";
import type { Moderators } from "../../kernel/http/moderators.ts";
import { anybody, type Handlers, route, routes } from "../../kernel/http/route.ts";
import type { WebChat } from "../chat/web-chat.ts";
import type { GameServer, GameServers } from "../servers/game-server.ts";
import { iconOf, manifestOf, type Owner, type PageDeps, pageRoute, SIGN_IN_PAGE } from "./page.ts";
import type { WebFile } from "./web-files.ts";

type Web = Config["modules"]["web"];

export interface ConsoleDeps {
  api: ApiSettings;
  keys: Keys;
  moderators: Moderators;
  /** the owner's logo, if the console is served */
  logo: WebFile | undefined;
  web: Web;
  webChat: Pick<WebChat, "mode">;
  servers: GameServers;
}

/** An image opened as a page has no origin, runs no script and loads nothing. */
const IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/** For files with a hash of their content in the name. */
const IMMUTABLE = "public, max-age=31536000, immutable";
const REVALIDATE = "no-cache";

const joinAddressOf = (web: Web, { info }: GameServer): string => web.joinAddress || info.address;

function joinOf(web: Web, server: GameServer): Pick<ServiceSettings, "joinAddress" | "maxPlayers"> {
  const [joinAddress, { maxPlayers }] = [joinAddressOf(web, server), server.info];
  return { ...(joinAddress !== "" && { joinAddress }), ...(maxPlayers > 0 && { maxPlayers }) };
}

const WHITELIST: readonly Scope[] = ["whitelist:read", "whitelist:write"];
/** What the administration of the web console offers besides the whitelist. */
const MODERATION: readonly Scope[] = [...MODERATOR_SCOPES, "audit:read"];

/** The client for pages without a bundler, which is also served without the console. */
const CLIENT = "client.js";

/**
 * The files of the web console, the logo and the client by path; only the client if the console is off.
 * @param hasSignIn whether the assets of the sign-in page are served without the console
 */
export function consoleFiles(
  deps: ConsoleDeps & PageDeps & { webFiles: readonly WebFile[] },
  hasSignIn: boolean,
): Record<string, Handlers> {
  const { logo, web, webFiles, servers } = deps;
  const isNeeded = (path: string): boolean => path === CLIENT || (hasSignIn && /^assets\//.test(path));
  const built = webFiles.filter(({ path }) => path !== SIGN_IN_PAGE && (web.enabled || isNeeded(path)));
  const page = built.find(({ path }) => path === "index.html");
  const ownerOf = (server: GameServer): Owner => ({
    title: server === servers.first ? web.title : `${server.info.title || server.name} – ${web.title}`,
    accent: web.accent,
    joinAddress: joinAddressOf(web, server),
    maxPlayers: server.info.maxPlayers,
    logo: logo?.path,
    icon: page && iconOf(page.content.toString()),
  });
  const files = [...built.filter(file => file !== page), ...(logo ? [logo] : [])];
  return {
    ...Object.fromEntries(files.map(file => [`/${file.path}`, fileRoute(file)])),
    ...(page && {
      "/": { get: pageRoute(deps, page.content, ownerOf) },
      "/manifest.webmanifest": fileRoute({
        path: "manifest.webmanifest",
        content: Buffer.from(manifestOf(ownerOf(servers.first))),
      }),
    }),
    ...(logo && { "/favicon.ico": fileRoute(logo, REVALIDATE) }),
  };
}

const preparedFile = <B>(
  { path, content }: WebFile,
  cacheControl = /\.[0-9a-f]{8}\.\w+$/.test(path) ? IMMUTABLE : REVALIDATE,
): PreparedResponse<B> =>
  prepareResponse(content, {
    "Content-Type": typeOf(path),
    ...(path.endsWith(".svg") && { "Content-Security-Policy": IMAGE_POLICY }),
    "Cache-Control": cacheControl,
  });

/** Sends a file prepared at the start. */
function fileRoute(...file: Parameters<typeof preparedFile>): Handlers {
  const prepared = preparedFile<Buffer>(...file);
  return { get: (req, res) => sendAnswer(res, preparedAnswer(prepared, req)) };
}

export const settingsRoutes = routes("Service", {
  getSettings: route(
    "GET /console.json",
    {
      summary: "Settings for a page",
      description:
        "Limits, and who can currently write in the chat on the website. Operators change that in the game, so request it from time to time, and after an `EXCEPTION` `not allowed`. With several game servers, `gameChat` and `joinAddress` outside `servers` are those of the first one.",
      auth: anybody,
      answers: { 200: { description: "The settings.", body: "ServiceSettings" } },
      cached: true,
    },
    (deps: ConsoleDeps) => {
      const { api, keys, logo, moderators: byLink, web, webChat, servers } = deps;
      const { limits } = api;
      const { show, staysFor } = api.knownPlayers;
      const settings = {
        title: web.title,
        ...(web.accent !== "" && { accent: web.accent }),
        ...(logo && { logo: logo.path }),
        ...joinOf(web, servers.first),
        refreshMs: api.metricsRefreshInterval,
        heartbeatMs: api.heartbeatInterval,
        verificationMs: api.verificationTimeout,
        messageLength: limits.messageLength,
        messagesPerSecond: limits.messagesPerSecond,
        messagesBurst: limits.messagesBurst,
        whitelistNames: api.whitelistNames,
        knownPlayers: show,
      };
      const listed = servers.all.map(server => ({
        name: server.name,
        title: server.info.title || null,
        ...joinOf(web, server),
      }));
      /** for each chat mode, set of available scopes, and way of game chat */
      const made = new Map<string, PreparedResponse<ServiceSettings>>();
      return ({ req }) => {
        const moderators = byLink.any();
        const moderation = moderators || MODERATION.some(keys.any);
        const stays = show !== "off" && keys.any("players:read") && { staysForMs: staysFor };
        const whitelist = WHITELIST.some(keys.any);
        const gameChats = servers.all.map(({ connections }) => connections.gameChat());
        const now = { ...stays, webChat: webChat.mode(), whitelist, moderation, moderators };
        const name = [...Object.values(now), ...gameChats].join();
        let prepared = made.get(name);
        if (prepared === undefined) {
          const [gameChat = null] = gameChats;
          const content: ServiceSettings = {
            ...settings,
            ...(!servers.isOne && {
              servers: listed.map((each, i) => ({ ...each, gameChat: gameChats[i] ?? null })),
            }),
            ...now,
            gameChat,
          };
          prepared = preparedFile({ path: "console.json", content: Buffer.from(JSON.stringify(content)) });
          made.set(name, prepared);
        }
        return preparedAnswer(prepared, req);
      };
    },
  ),
});
