import type { BuiltFolders, BuiltPack } from "../../bds/built-pack.ts";
import type { Files } from "../../bds/files.ts";
import type { ServerFolder } from "../../bds/folder.ts";
import type { JoinInfo } from "../../bds/join-info.ts";
import type { ProcessTable, RunningServer } from "../../bds/running-servers.ts";
import type { Commands } from "../../cli/commands.ts";
import type { RunBy } from "../../cli/run-by.ts";
import type { RunningSidecar } from "../../cli/sidecar-process.ts";
import type { Result } from "../../shared/result.ts";
import type { Environment } from "../../sidecar/config/environment.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import type { StartupSettings } from "../../sidecar/config/startup-settings.ts";
import type { PortOwner, Protocol } from "./port-owner.ts";

export interface DoctorOptions {
  /** folder of the server, or the program in it */
  server: string;
  config: string;
  /** machine or container where the sidecar runs; undefined: this one */
  sidecar?: string | undefined;
}

/** Owner and permission bits of a file. */
export interface Access {
  uid: number;
  gid: number;
  mode: number;
}

/** The user of a program. `groups`: supplementary groups; undefined: not known. */
export interface User {
  uid: number;
  gid: number;
  groups: readonly number[] | undefined;
}

/** Everything outside that the doctor reads. It changes nothing. */
export interface DoctorSystem {
  files: Files;
  processes: ProcessTable;
  env: Environment;
  packs: BuiltFolders;
  programs: Commands;
  platform: string;
  fetch: typeof fetch;
  now(): number;
  /** owner and mode of a path; undefined: it is missing, or cannot be seen */
  accessOf(path: string): Access | undefined;
  /** user of a process; undefined: not known */
  userOf(pid: number): User | undefined;
  /** free bytes on the disk of a folder; undefined: not known */
  freeBytes(folder: string): number | undefined;
  /** whether `launch` has started a process; undefined: not known, as on Windows */
  isUnderLaunch(pid: number): boolean | undefined;
  /** the program that listens at a port of this machine; undefined: none, or not known */
  portOwner(port: number, host: string, protocol?: Protocol): Promise<PortOwner | undefined>;
  /** what the game server at a port of this machine reports about itself */
  fetchJoinInfo(port: number, host: string): Promise<Result<JoinInfo>>;
  /** the sidecar of a process; undefined: the process is not one, or not known */
  sidecarAt(pid: number): RunningSidecar | undefined;
  /** lines about other configurations that running sidecars of this folder use */
  usedInstead(config: string): string[];
  ownAddresses(): string[];
}

export interface CheckedSidecar {
  system: DoctorSystem;
  configFile: string;
  config: Config;
  /** values of that file, and of this process's environment */
  written: StartupSettings;
  /** name of the checked game server in the configuration; by default the first one */
  name: string;
  /** its token; undefined: none that can be used */
  token: string | undefined;
  /** usable tokens of all game servers by name */
  tokens: ReadonlyMap<string, string>;
  /** what runs it; undefined: it is started by hand */
  runBy?: RunBy | undefined;
  /** set: it runs on another machine, where only its listener for the add-on can be reached */
  remote?: RemoteSidecar;
}

/** A sidecar on another machine. */
export interface RemoteSidecar {
  /** `bridge-url` of the game server */
  url: string;
  /** whether the game server sends the token of the configuration to it */
  hasToken: boolean;
}

/** The sidecar's address in the pack's settings, and the finding about it. */
export interface CheckedBridgeUrl {
  state: "ok" | "note" | "problem";
  what: string;
  /** the address that other settings must match; undefined: not known */
  url: string | undefined;
  /** an alternative to setup */
  fix?: string;
  /** whether setup keeps the address, so that running setup does not fix it */
  isUnchanged?: true;
  /** option of setup that writes the right address */
  option: string;
}

/** The server's folder, with everything that the checks need. */
export interface Target {
  system: DoctorSystem;
  server: ServerFolder;
  running: RunningServer | undefined;
  /** with name and token of this game server */
  sidecar: CheckedSidecar | undefined;
  /** the built pack of the installed kind */
  behavior: BuiltPack;
  /** whether that is the one that keeps achievements, which reaches the sidecar over the game's console */
  keepsAchievements: boolean;
  resource: BuiltPack | undefined;
  /** uuid of the built script module */
  module: string;
  /** command of setup for this server, with the right address of the sidecar */
  setup: string;
  /** undefined: variables.json cannot be read, or the pack has no settings */
  address: CheckedBridgeUrl | undefined;
}
