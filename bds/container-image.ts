import { basename } from "node:path";
import type { ServerFolder } from "./folder.ts";

/** The server's program as images of the community call it: with its version. */
const VERSIONED = /^bedrock_server-\d[\d.]*$/;

/** Where the variables of the game server's container are set, and what puts them into force. */
export const CONTAINER_SETTINGS = "compose.yml, .env or bds.env";
export const CONTAINER_RESTART = "docker compose up -d bds";

/** Whether a server's folder is that of a container image. */
export const isContainerImage = ({ program }: Pick<ServerFolder, "program">): boolean =>
  VERSIONED.test(basename(program));

/** The variable by which the image writes the allowlist anew at each start, where it is set. */
export const allowListVariable = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  ["ALLOW_LIST_USERS", "WHITE_LIST_USERS"].find(name => env[name]);

export const ALLOW_LIST_LOST =
  "allowlist.json is written anew at each start, and names that were added over the web are gone";

/** What keeps the names. */
export const allowListFix = (variable: string): string =>
  `take ${variable} out of ${CONTAINER_SETTINGS}, then: ${CONTAINER_RESTART}`;
