import { randomBytes } from "node:crypto";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isErrno, orElse, reasonIn } from "../../cli/errno.ts";
import { makeFolders } from "../../cli/folders.ts";
import { makeSecretFile } from "../../cli/secret-file.ts";
import type { Log } from "../platform/log.ts";
import { BRIDGE_TOKEN, isBridgeToken } from "./net-kinds.ts";
import type { FurtherServer } from "./servers.ts";
import type { Config } from "./settings.ts";
import { isWeak, tokenWarning } from "./warnings.ts";

type TokenResult = { token: string } | { fault: string };

/** The file in the storage folder with the token of a game server; the first one is called by no name. */
export const tokenFile = (name: string | undefined): string =>
  name === undefined ? "bridge-token" : `bridge-token-${name}`;

type FolderStorage = { storage: Pick<Config["storage"], "folder"> };
type TokenServer = Pick<FurtherServer, "name" | "token">;

/**
 * The secret that pack and sidecar share: the configured one, or the one in a file of the storage folder, created at the
 * first start. The fault is one line that names the file.
 * @param server one of `servers`; undefined: the first game server
 */
export const bridgeToken = (
  { bridge, storage }: Pick<Config, "bridge"> & FolderStorage,
  log: Pick<Log, "info" | "warn">,
  server?: TokenServer,
): TokenResult => tokenOf(server?.name, (server ?? bridge).token, storage.folder, log);

/**
 * The tokens of the game servers beside the first, by their names. Each has another one.
 * @param first the token of the first game server
 */
export function serverTokens(
  { servers, storage: { folder } }: { servers: readonly TokenServer[] } & FolderStorage,
  first: string,
  log: Pick<Log, "info" | "warn">,
): { tokens: ReadonlyMap<string, string> } | { fault: string } {
  const tokens = new Map<string, string>();
  for (const [place, { name, token: configured }] of servers.entries()) {
    const made = tokenOf(name, configured, folder, log);
    if ("fault" in made) return made;
    if (made.token === first || [...tokens.values()].includes(made.token)) {
      const [where, fix] =
        configured === ""
          ? [join(folder, tokenFile(name)), "delete it"]
          : [`servers[${place}].token: (hidden)`, "leave it out"];
      return {
        fault: `${where}: expected a token that no other game server has; ${fix} to have a new one made`,
      };
    }
    tokens.set(name, made.token);
  }
  return { tokens };
}

/**
 * The token of a game server; undefined: there is none yet, or no valid one. Nothing is created.
 * @param server one of `servers`; undefined: the first game server
 */
export function existingToken(
  { bridge, storage: { folder } }: Pick<Config, "bridge"> & FolderStorage,
  server?: TokenServer,
): string | undefined {
  const configured = (server ?? bridge).token;
  if (configured !== "") return configured;
  const token = orElse(() => readFileSync(join(folder, tokenFile(server?.name)), "utf8").trim(), "");
  return isBridgeToken(token) ? token : undefined;
}

function tokenOf(
  name: string | undefined,
  configured: string,
  folder: string,
  log: Pick<Log, "info" | "warn">,
): TokenResult {
  if (configured !== "") {
    if (isWeak(configured)) log.warn({}, tokenWarning(name));
    return { token: configured };
  }
  const file = join(folder, tokenFile(name));
  try {
    makeFolders(folder);
    const token = readToken(file, log) ?? makeToken(file, log) ?? readToken(file, log) ?? "";
    if (isBridgeToken(token)) return { token };
    const found = token === "" ? "is empty" : "does not contain a valid token";
    return { fault: `${file}: ${found}: expected ${BRIDGE_TOKEN}; delete it to have a new one made` };
  } catch (error) {
    return { fault: `${file}: cannot be used: ${reasonIn(folder, error)}` };
  }
}

function readToken(file: string, log: Pick<Log, "warn">): string | undefined {
  try {
    const token = readFileSync(file, "utf8").trim();
    tighten(file, log);
    return token;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

function tighten(file: string, log: Pick<Log, "warn">): void {
  const mode = statSync(file).mode & 0o777;
  if (process.platform === "win32" || (mode & 0o077) === 0) return;
  const fields = { file, mode: mode.toString(8) };
  try {
    chmodSync(file, 0o600);
    log.warn(fields, "Other users could read the bridge token: its file is now readable for this user only");
  } catch {
    log.warn(fields, "Other users can read the bridge token, and the mode of its file cannot be changed");
  }
}

/** Creates the file; does nothing if another process was first. */
function makeToken(file: string, log: Pick<Log, "info">): string | undefined {
  const token = randomBytes(32).toString("base64url");
  if (!makeSecretFile(file, token)) return undefined;
  log.info({ file }, "Created the bridge token");
  return token;
}
