import { join } from "node:path";
import { ADMIN_KEY, type DemoSidecar } from "./sidecar.ts";

/** What the demo prints once the world is there: addresses, calls to copy, and what may be typed. `servers`: beside the first one. */
export function intro(
  { publicUrl, folder }: DemoSidecar,
  [panel, teaHouse]: readonly [panel: string, teaHouse: string | undefined],
  player: string,
  interactive: boolean,
  servers: readonly string[] = [],
): string[] {
  const cookies = quoted(join(folder, "cookies.txt"));
  const body = (json: string): string => `-H "Content-Type: application/json" -d ${quotedJson(json)}`;
  return [
    "",
    `Panel      ${panel}/`,
    `Console    ${publicUrl}/`,
    `REST       ${publicUrl}`,
    `WebSocket  ${publicUrl.replace("http", "ws")}/chat`,
    ...(teaHouse === undefined ? [] : [`Tea house  ${teaHouse}/`]),
    "",
    "Open the panel in a browser: it shows the world and the website beside each other.",
    ...(servers.length > 0
      ? [
          `Beside that world there are ${servers.join(", ")}: the console has a tab for each, and players move between them.`,
        ]
      : []),
    "",
    "Or try, in another terminal:",
    `  curl ${publicUrl}/status`,
    `  curl ${publicUrl}/players`,
    ...(servers.length > 0 ? [`  curl ${publicUrl}/servers`] : []),
    `  curl -c ${cookies} ${publicUrl}/initialize`,
    `  curl -b ${cookies} ${body(`{"username":"${player}"}`)} ${publicUrl}/link-player`,
    `  curl -b ${cookies} ${publicUrl}/linked-player`,
    `  curl -H "X-Service-Api-Key: ${ADMIN_KEY}" ${body('{"playerName":"Herobrine"}')} ${publicUrl}/whitelist`,
    `  curl -H "X-Service-Api-Key: ${ADMIN_KEY}" ${publicUrl}/whitelist`,
    "",
    ...(interactive
      ? ["Type join, leave, say, accept, decline, kill or lag here; help lists them. Ctrl+C ends the demo."]
      : ["No terminal: the players answer forms by themselves while no panel is open."]),
    "",
  ];
}

const quoted = (path: string): string => `"${path}"`;

/** JSON as one argument: the command line of Windows knows no single quotes. */
const quotedJson = (json: string): string =>
  process.platform === "win32" ? `"${json.replaceAll('"', '\\"')}"` : `'${json}'`;
