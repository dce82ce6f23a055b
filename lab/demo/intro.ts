import { join } from "node:path";
import type { Development } from "./options.ts";
import { ADMIN_KEY, type DemoSidecar } from "./sidecar.ts";

interface IntroContent {
  panel: string;
  exampleSite: string | undefined;
  development: Development;
  /** name of the player in the commands */
  player: string;
  /** whether commands can be typed */
  interactive: boolean;
  /** names of the other game servers */
  servers: readonly string[];
  /** whether the game has the pack that keeps achievements */
  isConsole: boolean;
}

/** What the demo prints once it runs: addresses, calls to copy, and the commands that can be typed. */
export function intro(
  { publicUrl, folder }: Pick<DemoSidecar, "publicUrl" | "folder">,
  {
    panel,
    exampleSite,
    development: { origins, key, sites },
    player,
    interactive,
    servers,
    isConsole,
  }: IntroContent,
): string[] {
  const cookies = quoted(join(folder, "cookies.txt"));
  const body = (json: string): string => `-H "Content-Type: application/json" -d ${quotedJson(json)}`;
  return [
    "",
    `Panel         ${panel}/`,
    `Web console   ${publicUrl}/`,
    `REST          ${publicUrl}`,
    `WebSocket     ${publicUrl.replace("http", "ws")}/chat`,
    ...(exampleSite === undefined ? [] : [`Example site  ${exampleSite}/`]),
    ...origins.map(origin => `Origin        ${origin}${hint(origin, publicUrl)}`),
    ...(key === undefined ? [] : [`Key           ${key.secret} (${key.name})`]),
    ...sites.map(
      ({ id, "redirect-uris": [uri] }) => `Client id     ${id} (${uri}), no secret, issuer ${publicUrl}`,
    ),
    "",
    "Open the panel in a browser. It shows the world and the website side by side.",
    ...(servers.length > 0
      ? [
          `Other game servers: ${servers.join(", ")}. The web console has a tab for each, and players move between them.`,
        ]
      : []),
    ...(isConsole
      ? [
          "The game server has the pack that keeps achievements. It cannot hear game chat: players write with /bridge:say.",
        ]
      : []),
    "",
    "Or run in another terminal:",
    `  curl ${publicUrl}/status`,
    `  curl ${publicUrl}/players`,
    ...(servers.length > 0 ? [`  curl ${publicUrl}/servers`] : []),
    `  curl -c ${cookies} ${publicUrl}/initialize`,
    `  curl -b ${cookies} ${body(`{"username":"${player}"}`)} ${publicUrl}/link-player`,
    `  curl -b ${cookies} ${publicUrl}/linked-player`,
    `  curl -H "X-Service-Api-Key: ${ADMIN_KEY}" ${body('{"playerName":"Herobrine"}')} ${publicUrl}/whitelist`,
    `  curl -H "X-Service-Api-Key: ${ADMIN_KEY}" ${publicUrl}/whitelist`,
    ...(key === undefined
      ? []
      : [
          `  curl -H "X-Service-Api-Key: ${key.secret}" ${body(`{"playerName":"${player}"}`)} ${publicUrl}/kick`,
        ]),
    "",
    ...(interactive
      ? [
          "Type join, leave, say, accept, decline, fill, kill or lag here, or help for a list. Ctrl+C ends the demo.",
        ]
      : ["No terminal: the players answer forms automatically while no panel is open."]),
    "",
  ];
}

/** Browsers send the session cookie only to the host of the page. */
function hint(origin: string, publicUrl: string): string {
  const service = new URL(publicUrl);
  service.hostname = new URL(origin).hostname;
  return service.hostname === "localhost" ? `: call ${service.origin} from it` : "";
}

const quoted = (path: string): string => `"${path}"`;

/** JSON as one argument. The command line of Windows has no single quotes. */
const quotedJson = (json: string): string =>
  process.platform === "win32" ? `"${json.replaceAll('"', '\\"')}"` : `'${json}'`;
