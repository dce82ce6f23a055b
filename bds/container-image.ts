import { basename } from "node:path";
import type { ServerFolder } from "./folder.ts";

/** Container images keep the version in the name of the server's program. */
const VERSIONED = /^bedrock_server-\d[\d.]*$/;

/** Where the owner sets variables of the game server's container, and the command that applies them. */
export const CONTAINER_SETTINGS = "compose.yml, .env or bds.env";
export const CONTAINER_RESTART = "docker compose up -d bds";

export const isContainerImage = ({ program }: Pick<ServerFolder, "program">): boolean =>
  VERSIONED.test(basename(program));

/** The variable, where it is set, from which the image writes the allowlist at each start. */
export const allowListVariable = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  ["ALLOW_LIST_USERS", "WHITE_LIST_USERS"].find(name => env[name]);

export const ALLOW_LIST_LOST =
  "allowlist.json is rewritten at each start, and names that were added on the website are lost";

export const allowListFix = (variable: string): string =>
  `remove ${variable} from ${CONTAINER_SETTINGS}, then: ${CONTAINER_RESTART}`;
