import { isListWritten } from "../../sidecar/config/admin-keys.ts";
import { isOfImage, LIST_LOSS, listMend, listVariable, PLACES, UP } from "../bds/image.ts";
import { type Finding, note, problem } from "./finding.ts";
import type { Target } from "./target.ts";

/**
 * What sets a key of server.properties, where a variable of the game server's container does: it is written into the
 * file at each start, so that an edit of the file would not last. Undefined: no variable is known to do that.
 */
export function setByVariable(target: Target, pair: string): string | undefined {
  const [key = "", value = ""] = pair.split("=");
  const variable = key.toUpperCase().replaceAll("-", "_");
  if (!isOfImage(target.server) || !target.around.env[variable]) return undefined;
  return `set ${variable}=${value} for the game server's container (${PLACES}), which writes it into server.properties at each start, then: ${UP}`;
}

/** Whether the game server's container throws away what the web puts on the allowlist. */
export function checkListOfImage(target: Target): Finding[] {
  const { around, side } = target;
  const id = "allow-list-users";
  if (side === undefined || !isListWritten(side.config.modules.api) || !isOfImage(target.server)) return [];
  const variable = listVariable(around.env);
  if (variable !== undefined)
    return [
      problem(
        id,
        `${variable} is set for the game server's container: ${LIST_LOSS}`,
        `${listMend(variable)}  (who is on the list by then stays)`,
      ),
    ];
  // Whoever knows that the licence was accepted has been told the container's variables.
  if (around.env.EULA !== undefined) return [];
  return [
    note(
      id,
      `this is the folder of a container image: where ALLOW_LIST_USERS is set for its container, ${LIST_LOSS}`,
    ),
  ];
}
