import { Resolver } from "node:dns/promises";
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { commandsIn } from "../../cli/commands.ts";
import { isErrno, messageOf, reasonOf } from "../../cli/errno.ts";
import { commandsBy, readRunBy } from "../../cli/run-by.ts";
import { sidecarAt, usedInstead } from "../../cli/sidecar-process.ts";
import { RUN_BY } from "../../cli/variables.ts";
import { listen } from "../../sidecar/listen.ts";
import { askJoin } from "../bds/join.ts";
import { freeBytes, nearestFolder, ownAddresses, systemFiles, systemSigns } from "../bds/system.ts";
import { holderOf } from "./holder.ts";
import type { Access, Surroundings, User } from "./target.ts";

/** How long the game may take to answer, and the look-up of a name, in milliseconds. */
const JOIN_MS = 4000;
const LOOK_UP_MS = 1500;
/** A name of the game's makers, whose services a game with online-mode needs. */
const SERVICES = "minecraft.net";

/**
 * The real surroundings.
 * @param root folder of the repository, or of the archive with the sidecar in it
 */
export function systemSurroundings(root: string): Surroundings {
  return {
    files: systemFiles,
    signs: systemSigns,
    env: process.env,
    packs: { behavior: join(root, "dist/behavior_pack"), resource: join(root, "dist/resource_pack") },
    programs: commandsBy(readRunBy(process.env[RUN_BY]), commandsIn(root)),
    platform: process.platform,
    nodeVersion: process.versions.node,
    fetch,
    now: Date.now,
    modeOf: path => statSync(path, { throwIfNoEntry: false })?.mode,
    accessOf,
    userOf,
    writeFault,
    freeBytes,
    holderOf,
    askJoin: (port, host) => askJoin(port, AbortSignal.timeout(JOIN_MS), host),
    offline,
    sidecarAt,
    usedInstead: config => usedInstead(root, config),
    ownAddresses,
    listenFault,
  };
}

async function listenFault(key: string, host: string): Promise<string | undefined> {
  const server = createServer();
  try {
    await listen(server, key, { host, port: 0 });
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    server.close();
  }
}

function accessOf(path: string): Access | undefined {
  try {
    const { uid, gid, mode } = statSync(path);
    return { uid, gid, mode };
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR", "EACCES")) return undefined;
    throw error;
  }
}

function userOf(pid: number): User | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    // The second number of each is the one that counts for files.
    const numbers = (key: string): number[] =>
      (new RegExp(`^${key}:(.*)$`, "m").exec(text)?.[1] ?? "").trim().split(/\s+/).map(Number);
    const [[, uid], [, gid]] = [numbers("Uid"), numbers("Gid")];
    return uid === undefined || gid === undefined ? undefined : { uid, gid, groups: numbers("Groups") };
  } catch {
    return undefined;
  }
}

async function offline(): Promise<string | undefined> {
  try {
    await new Resolver({ timeout: LOOK_UP_MS, tries: 1 }).resolve4(SERVICES);
    return undefined;
  } catch (error) {
    return `it cannot look up ${SERVICES}: ${reasonOf(error)}`;
  }
}

function writeFault(folder: string): string | undefined {
  const place = nearestFolder(folder);
  try {
    if (!statSync(place).isDirectory()) return `${place} is a file`;
    accessSync(place, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
