import { basename } from "node:path";
import { allKeys } from "../sidecar/config/admin-keys.ts";
import { type Finding, note, problem } from "./finding.ts";
import type { Target } from "./target.ts";

/** The server's program as images of the community call it: with its version. */
const VERSIONED = /^bedrock_server-\d[\d.]*$/;

const PLACES = "compose.yml, .env or bds.env";
const AGAIN = "docker compose up -d bds";

const isOfImage = ({ server }: Target): boolean => VERSIONED.test(basename(server.program));

/**
 * What sets a key of server.properties, where a variable of the game server's container does: it is written into the
 * file at each start, so that an edit of the file would not last. Undefined: no variable is known to do that.
 */
export function setByVariable(target: Target, pair: string): string | undefined {
  const [key = "", value = ""] = pair.split("=");
  const variable = key.toUpperCase().replaceAll("-", "_");
  if (!isOfImage(target) || !target.around.env[variable]) return undefined;
  return `set ${variable}=${value} for the game server's container (${PLACES}), which writes it into server.properties at each start, then: ${AGAIN}`;
}

/** Whether the game server's container throws away what the web puts on the allowlist. */
export function checkListOfImage(target: Target): Finding[] {
  const { around, side } = target;
  const id = "allow-list-users";
  const keys = side === undefined ? [] : allKeys(side.config.modules.api);
  if (!isOfImage(target) || !keys.some(({ scopes }) => scopes.includes("whitelist:write"))) return [];
  const variable = ["ALLOW_LIST_USERS", "WHITE_LIST_USERS"].find(name => around.env[name]);
  const loss =
    "allowlist.json is written anew at each start, and names that were added over the web are gone";
  if (variable !== undefined)
    return [
      problem(
        id,
        `${variable} is set for the game server's container: ${loss}`,
        `take ${variable} out of ${PLACES}, then: ${AGAIN}  (who is on the list by then stays)`,
      ),
    ];
  // Whoever knows that the licence was accepted has been told the container's variables.
  if (around.env.EULA !== undefined) return [];
  return [
    note(
      id,
      `this is the folder of a container image: where ALLOW_LIST_USERS is set for its container, ${loss}`,
    ),
  ];
}
