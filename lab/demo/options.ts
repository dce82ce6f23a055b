import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { messageOf } from "../../cli/errno.ts";
import { SCOPES } from "../../shared/public/words.ts";
import { keyName, sha256Of } from "../../sidecar/config/admin-keys.ts";
import { type Kind, unexpected } from "../../sidecar/config/kind.ts";
import { origins } from "../../sidecar/config/net-kinds.ts";
import { redirectUri } from "../../sidecar/config/sign-in.ts";
import { whole } from "../scale/whole.ts";
import { MAX_SERVERS } from "./network.ts";

export const DEFAULT_PORT = 8080;
export const DEFAULT_PANEL_PORT = 8090;
const MAX_SIDECARS = 5;

export const USAGE = `usage: npm run demo -- [--port <number>] [--panel-port <number>] [--server <folder>]
                       [--sidecars <number>] [--servers <number>] [--console]
                       [--origin <origin>] [--key <name>] [--site <redirect uri>]

  --port <number>        port of the website (${DEFAULT_PORT}, or any free one when that is in use)
  --panel-port <number>  port of the panel (${DEFAULT_PANEL_PORT}, or any free one when that is in use)
  --server <folder>      plays the game server of this folder; the website belongs to the sidecar that it names
  --sidecars <number>    1 to ${MAX_SIDECARS} sidecars with a Redis and a balancer, to see what happens when one is killed
  --servers <number>     1 to ${MAX_SERVERS} game servers behind one sidecar, with players who move between them
  --console              plays the pack that keeps achievements, which reaches the website over the game server's console

To build a website against the demo:

  --origin <origin>      web pages of this origin may call the service, such as http://localhost:5173; may be repeated
  --key <name>           creates an admin key of this name with every scope, and prints it; each start creates a new one
  --site <redirect uri>  registers a site where players sign in, such as http://localhost:5173/signed-in, and prints its
                         client id; the site has no secret; may be repeated`;

/** A site for sign-in, as in the configuration. */
export interface SiteClient {
  id: string;
  name: string;
  "redirect-uris": string[];
}

/** What a website in development needs from the demo. */
export interface Development {
  origins: readonly string[];
  key: { name: string; secret: string } | undefined;
  sites: readonly SiteClient[];
}

/** Returns the text if the setting accepts it. @throws with what was expected */
function accepted(option: string, kind: Kind<unknown>, text: string, raw: unknown = text): string {
  const read = kind.read(raw, "");
  if ("fault" in read) throw new Error(`${option}: ${unexpected(kind, raw, read.fault)}`);
  return text;
}

/** Reads the command line; undefined for --help. @throws with what is wrong */
export function readDemoOptions(args: readonly string[]) {
  const { values } = parsed(args);
  if (values.help) return undefined;
  const { server, origin, key, site } = values;
  const count =
    values.sidecars === undefined ? undefined : whole("--sidecars", values.sidecars, 1, MAX_SIDECARS);
  const servers = values.servers === undefined ? 1 : whole("--servers", values.servers, 1, MAX_SERVERS);
  if (values.servers !== undefined && (count ?? server) !== undefined)
    throw new Error("--servers cannot be combined with --sidecars or --server");
  if (values.console && server !== undefined)
    throw new Error("--console cannot be combined with --server: its folder says which pack it has");
  if (server !== undefined)
    for (const option of ["sidecars", "origin", "key", "site"] as const)
      if ([values[option]].flat().some(Boolean))
        throw new Error(
          `--${option} needs the sidecar of the demo, and --server uses another one: leave one out`,
        );
  const development: Development = {
    origins: origin.map(one => accepted("--origin", origins, one, [one])),
    key:
      key === undefined
        ? undefined
        : { name: accepted("--key", keyName, key), secret: `wbk_${randomBytes(24).toString("base64url")}` },
    sites: site.map((uri, at) => ({
      id: `site-${at + 1}`,
      name: new URL(accepted("--site", redirectUri, uri)).host || uri,
      "redirect-uris": [uri],
    })),
  };
  return {
    port: values.port,
    panelPort: values["panel-port"],
    server,
    count,
    servers,
    isConsole: values.console,
    development,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: "string" },
        "panel-port": { type: "string" },
        server: { type: "string" },
        sidecars: { type: "string" },
        servers: { type: "string" },
        console: { type: "boolean", default: false },
        origin: { type: "string", multiple: true, default: [] },
        key: { type: "string" },
        site: { type: "string", multiple: true, default: [] },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    const [what] = messageOf(error).split(". ");
    throw new Error(`${what}. npm run demo -- --help lists the options`, { cause: error });
  }
}

/** Settings of the sidecar for these, for the panel and for the site of the demo. */
export const settingsOf = (
  { origins, key, sites }: Development,
  panel: string,
  clients: readonly SiteClient[],
): Record<string, string> => ({
  WEB_BRIDGE_MODULES_API_CORS_ORIGINS: [panel, ...origins].join(","),
  ...(key && {
    WEB_BRIDGE_MODULES_API_ADMIN_KEYS: JSON.stringify([
      { name: key.name, sha256: sha256Of(key.secret), scopes: SCOPES },
    ]),
  }),
  WEB_BRIDGE_SIGN_IN_CLIENTS: JSON.stringify([...clients, ...sites]),
});
