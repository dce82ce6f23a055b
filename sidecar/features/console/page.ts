import type { RequestHandler } from "express";
import type { Config } from "../../config/settings.ts";
import { prepareByWord, preparedAnswer, prepareWhole, sendAnswer } from "../../kernel/http/answer.ts";
import type { Trust } from "../../kernel/http/client-address.ts";
import { inlineScripts, type Markup, markup, pagePolicy, typeOf } from "../../kernel/http/markup.ts";
import { ownAddress } from "../../kernel/http/origin.ts";
import { queryOf } from "../../kernel/http/query.ts";
import type { GameServer, GameServers } from "../servers/game-server.ts";
import { inASentence, inShort } from "../status/rules/server-words.ts";

/** What the page shows about the owner's server. */
export interface Owner {
  title: string;
  /** `#rrggbb`; blank: the colour of the style sheet */
  accent: string;
  /** what players type to join; blank: not shown */
  joinAddress: string;
  /** 0: unknown */
  maxPlayers: number;
  /** path of the logo; default: the product's icon */
  logo: string | undefined;
  icon: string | undefined;
}

/** Accent and background colour of the light style sheet. */
const [GREEN, PAPER] = ["#38682f", "#f1eee6"];

/** The sign-in page among the built files; it is served only during a sign-in. */
export const SIGN_IN_PAGE = "sign-in.html";

/** The part of the built head that the service replaces. */
export const BUILT = /<title>[^<]*<\/title>(?:\s*<link rel="icon"[^>]*? href="([^"]*)">)?/;

/** Path of the product's icon in the built page. */
export const iconOf = (built: string): string | undefined => BUILT.exec(built)?.[1];

/** Images with fixed names, for other sites. */
const [PREVIEW, PAINTED] = ["assets/preview.png", "assets/icon.png"];

/** Placeholder for the address of the service, which no setting can contain. */
const ADDRESS = "\0";

interface Icon {
  src: string;
  type: string;
  sizes: string;
}

/** The owner's logo, else the product's icons. */
function iconsOf({ icon, logo }: Owner): Icon[] {
  const one = (src: string, sizes: string): Icon => ({ src, type: typeOf(src), sizes });
  if (logo !== undefined) return [one(logo, "any")];
  return [...(icon === undefined ? [] : [one(icon, "any")]), one(PAINTED, "512x512")];
}

/** The web app manifest, as JSON. */
export const manifestOf = (owner: Owner): string =>
  JSON.stringify({
    name: owner.title,
    start_url: ".",
    scope: ".",
    display: "standalone",
    background_color: PAPER,
    theme_color: owner.accent || GREEN,
    icons: iconsOf(owner),
  });

/** Head of the page for browsers, search engines and link previews. */
function head(owner: Owner, players: number | undefined): Markup {
  const { title, accent, joinAddress, maxPlayers } = owner;
  const moment = { players, most: maxPlayers };
  const name = `${title}: ${inShort(moment)}`;
  const description = `${inASentence(moment)}${players !== undefined && joinAddress !== "" ? ` Join with ${joinAddress}` : ""}`;
  const icons = iconsOf(owner);
  // Home screens do not support SVG.
  const picture = icons.find(({ type }) => type !== "image/svg+xml");
  const [icon] = icons;
  return markup`<title>${name}</title>
    <meta name="description" content="${description}">
    <meta name="theme-color" content="${accent || GREEN}">
    <meta property="og:type" content="website">
    <meta property="og:title" content="${name}">
    <meta property="og:description" content="${description}">
    <meta property="og:image" content="${ADDRESS}${PREVIEW}">
    <meta property="og:image:width" content="1200">
    <meta property="og:image:height" content="630">
    <meta property="og:image:alt" content="A bridge over a river">
    <meta name="twitter:card" content="summary_large_image">${
      icon !== undefined &&
      markup`
    <link rel="icon" type="${icon.type}" href="${icon.src}">`
    }${
      picture !== undefined &&
      markup`
    <link rel="apple-touch-icon" href="${picture.src}">`
    }
    <link rel="manifest" href="manifest.webmanifest">`;
}

/**
 * Creates pages for a number of players (undefined while no game server reports) and an address of the service, which ends with a slash
 * or is blank if unknown.
 * @param built the built page
 * @param headersOf further headers for an address
 */
export const createPage = (
  built: string,
  owner: Owner,
  headersOf: (address: string) => Record<string, string>,
) =>
  prepareByWord((players: number | undefined) => {
    const parts = built.replace(BUILT, () => head(owner, players).text).split(ADDRESS);
    return address =>
      prepareWhole(Buffer.from(parts.join(address)), {
        "Content-Type": typeOf("index.html"),
        "Cache-Control": "no-cache",
        ...headersOf(address),
      });
  });

export interface PageDeps {
  trust: Trust;
  web: Config["modules"]["web"];
  servers: GameServers;
}

/** Preloaded requests in the built page, for the first game server. */
const AHEAD = /(<link rel="preload"[^>]* href=")(?=(?:status|players)")/g;

/**
 * `GET /`: the web console, with the state of a game server in its head: the one in the query, such as `/?server=lobby`, else the first
 * one. Caches have to revalidate it each time.
 */
export function pageRoute(
  { trust, web, servers }: PageDeps,
  built: Buffer,
  ownerOf: (server: GameServer) => Owner,
): RequestHandler {
  const { first, all } = servers;
  const html = built.toString();
  const scripts = inlineScripts(html);
  const pages = new Map(
    all.map(server => {
      const own = server === first ? html : html.replace(AHEAD, `$1servers/${server.name}/`);
      // Older browsers do not count WebSockets of the same host as `'self'`.
      const headersOf = (address: string) =>
        pagePolicy(
          web.frameOrigins,
          ["manifest-src 'self'", `connect-src 'self'${address.replace(/^http(s?:\/\/[^/]*).*$/, " ws$1")}`],
          scripts,
        );
      return [server, createPage(own, ownerOf(server), headersOf)];
    }),
  );
  return (req, res) => {
    const name = queryOf(req.url).get("server");
    const server = (name !== null && servers.of(name)) || first;
    const players = server.snapshots.fresh()?.status.onlinePlayerCount;
    const page = pages.get(server)?.(players, ownAddress(req, trust));
    if (page) sendAnswer(res, preparedAnswer(page, req));
  };
}
