import { join, resolve } from "node:path";
import { type Commands, configOption, quoted } from "../../cli/commands.ts";
import { type RunBy, type SidecarCommands, sidecarCommands } from "../../cli/run-by.ts";
import type { RunningSidecar } from "../../cli/sidecar-process.ts";
import type { Result } from "../../shared/result.ts";
import type { Environment } from "../../sidecar/config/environment.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import type { Written } from "../../sidecar/config/written.ts";
import { isFault } from "../bds/fault.ts";
import type { Files } from "../bds/files.ts";
import { type PackKind, packIn, type ServerFolder } from "../bds/folder.ts";
import type { Join } from "../bds/join.ts";
import type { Manifest } from "../bds/manifest.ts";
import type { Running, SystemSigns } from "../bds/running.ts";
import type { Finding } from "./finding.ts";
import type { Holder, Protocol } from "./holder.ts";

/** What was asked for. */
export interface Asked {
  /** folder of the server, or the program in it */
  server: string;
  /** the sidecar's configuration, as it was written */
  config: string;
  /** name of the machine or container where the sidecar runs; undefined: this one */
  sidecar?: string | undefined;
}

/** Who owns a file, and its permission bits. */
export interface Access {
  uid: number;
  gid: number;
  mode: number;
}

/** Who a program runs as. `groups`: those he is in besides; undefined: not known. */
export interface User {
  uid: number;
  gid: number;
  groups: readonly number[] | undefined;
}

/** Everything outside that the doctor looks at. It changes nothing. */
export interface Surroundings {
  files: Files;
  signs: SystemSigns;
  env: Environment;
  /** folders of the packs of this build; the second may be missing */
  packs: { behavior: string; resource: string };
  /** how the owner calls the product's programs */
  programs: Pick<
    Commands,
    "setup" | "doctor" | "prove" | "start" | "build" | "config" | "key" | "hook" | "home"
  >;
  platform: string;
  nodeVersion: string;
  fetch: typeof fetch;
  now(): number;
  /** permission bits of a file; undefined: nothing is there */
  modeOf(path: string): number | undefined;
  /** who owns what is at a path, and what others may; undefined: nothing is there, or it may not be seen */
  accessOf(path: string): Access | undefined;
  /** who a process runs as; undefined where that may not be known */
  userOf(pid: number): User | undefined;
  /** why files cannot be made in a folder, or in the nearest one above it that is there; undefined: they can */
  writeFault(folder: string): string | undefined;
  /** bytes that may still be written where a folder is; undefined: not known */
  freeBytes(folder: string): number | undefined;
  /** who listens at a port of this machine; undefined: nobody, or that cannot be seen */
  holderOf(port: number, host: string, protocol?: Protocol): Promise<Holder | undefined>;
  /** what the game server at a port of this machine tells anybody */
  askJoin(port: number, host: string): Promise<Result<Join>>;
  /** why this machine seems to have no internet; undefined: it has, or nobody says */
  offline(): Promise<string | undefined>;
  /** the sidecar that a process is; undefined: it is none, or that cannot be seen */
  sidecarAt(pid: number): RunningSidecar | undefined;
  /** lines on the configurations of sidecars of this folder that run, where none of them has this one */
  usedInstead(config: string): string[];
  /** addresses of this machine */
  ownAddresses(): string[];
  /** what a sidecar would say that cannot listen at a host; undefined: it can. `key`: of that listener */
  listenFault(key: string, host: string): Promise<string | undefined>;
}

/** The sidecar as its configuration has it. */
export interface Side {
  configFile: string;
  config: Config;
  /** what stands in that file, and in the environment of this process */
  written: Written;
  /** the game server that is looked at, as the configuration calls it: the first one, where nothing else is said */
  name: string;
  /** its token; undefined: there is none that could be used */
  token: string | undefined;
  /** those of all game servers, by their names, as far as they could be used */
  tokens: ReadonlyMap<string, string>;
  /** what runs it; undefined: somebody starts it by hand */
  runBy?: RunBy | undefined;
}

/** A pack of this build. */
export interface Product {
  kind: PackKind;
  manifest: Manifest;
  folder: string;
}

/** A server's folder, with what is known besides. */
export interface Target {
  /** its files are those of one look at the server's folder */
  around: Surroundings;
  /** for what lies in other folders */
  elsewhere: Files;
  server: ServerFolder;
  running: Running | undefined;
  side: Side | undefined;
  behavior: Product;
  resource: Product | undefined;
  /** uuid of the script module of this build */
  module: string;
  /** command that sets the server up */
  setup: string;
  /** why the address that the pack has cannot be meant */
  urlFault: Finding | undefined;
}

/** A pack of this build; undefined when it was not built, or is broken. */
export function productIn(folder: string, kind: PackKind, files: Files): Product | undefined {
  const manifest = packIn(folder, files);
  return manifest === undefined || isFault(manifest) ? undefined : { kind, manifest, folder };
}

/** How the owner starts a sidecar, and starts it again. */
export const commandsOf = ({ runBy, configFile }: Side, { programs }: Surroundings): SidecarCommands =>
  sidecarCommands(runBy, programs, configFile);

/**
 * Command that changes a setting of the sidecar in its configuration, for a shell.
 * @param words such as `set`, the key and its value
 */
export const configCommand = (
  { configFile }: Pick<Side, "configFile">,
  { programs }: Pick<Surroundings, "programs">,
  ...words: string[]
): string =>
  `${programs.config} ${words.map(word => quoted(word)).join(" ")}${configOption(configFile, programs)}`;

/** Command that sets a server up, for a shell. */
export const setupCommand = (asked: Asked, { programs }: Surroundings): string =>
  `${programs.setup} ${optionsOf(asked, programs)}`;

/** Command that runs the doctor again as another user, for a shell. */
export const doctorCommand = (asked: Asked, { programs }: Surroundings, user: string): string =>
  `sudo -u ${user} ${programs.doctor} ${optionsOf(asked, programs)}${asked.sidecar === undefined ? "" : ` --sidecar ${quoted(asked.sidecar)}`}`;

const optionsOf = ({ server, config }: Asked, programs: Pick<Commands, "home">): string =>
  `--server ${quoted(resolve(server))}${configOption(config, programs)}`;

/** Names of all files below a folder, with `/`. */
export function filesBelow(folder: string, files: Files): string[] {
  return files.list(folder).flatMap(name => {
    const path = join(folder, name);
    if (files.kindOf(path) !== "folder") return [name];
    return filesBelow(path, files).map(below => `${name}/${below}`);
  });
}

/** What has to come before a command that changes the server's files. */
export const stopFirst = ({ running }: Pick<Target, "running">): string =>
  running === undefined ? "" : "stop the server, then: ";
