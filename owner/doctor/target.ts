import type { BuiltPack } from "../../bds/built-pack.ts";
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
import type { Written } from "../../sidecar/config/written.ts";
import type { PortOwner, Protocol } from "./port-owner.ts";

/** What the command line says. */
export interface DoctorOptions {
  /** folder of the server, or the program in it */
  server: string;
  /** the sidecar's configuration */
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

/** The user that a program runs as. `groups`: further ones of the user; undefined: not known. */
export interface User {
  uid: number;
  gid: number;
  groups: readonly number[] | undefined;
}

/** Everything outside that the doctor looks at. It changes nothing. */
export interface DoctorSystem {
  files: Files;
  processes: ProcessTable;
  env: Environment;
  /** folders of the packs of this build; the second may be missing */
  packs: { behavior: string; resource: string };
  /** how the owner calls the product's programs */
  programs: Commands;
  platform: string;
  fetch: typeof fetch;
  now(): number;
  /** who owns what is at a path, and its mode; undefined: nothing is there, or it may not be seen */
  accessOf(path: string): Access | undefined;
  /** user that a process runs as; undefined where that may not be known */
  userOf(pid: number): User | undefined;
  /** bytes that may still be written where a folder is; undefined: not known */
  freeBytes(folder: string): number | undefined;
  /** the program that listens at a port of this machine; undefined: none, or that cannot be seen */
  portOwner(port: number, host: string, protocol?: Protocol): Promise<PortOwner | undefined>;
  /** what the game server at a port of this machine answers to anybody who wants to join */
  fetchJoinInfo(port: number, host: string): Promise<Result<JoinInfo>>;
  /** the sidecar that a process is; undefined: it is none, or that cannot be seen */
  sidecarAt(pid: number): RunningSidecar | undefined;
  /** lines on the configurations of sidecars of this folder that run, where none of them has this one */
  usedInstead(config: string): string[];
  /** addresses of this machine */
  ownAddresses(): string[];
}

/** The sidecar as its configuration has it. */
export interface CheckedSidecar {
  system: DoctorSystem;
  configFile: string;
  config: Config;
  /** what stands in that file, and in the environment of this process */
  written: Written;
  /** name of the game server that is checked in the configuration: the first one, where nothing else is known */
  name: string;
  /** its token; undefined: there is none that could be used */
  token: string | undefined;
  /** tokens of all game servers by name, as far as they could be used */
  tokens: ReadonlyMap<string, string>;
  /** what runs it; undefined: it is started by hand */
  runBy?: RunBy | undefined;
}

/** The address of the sidecar that a pack has, and what is found of it. */
export interface CheckedBridgeUrl {
  state: "ok" | "note" | "problem";
  what: string;
  /** the address that the other settings have to fit; undefined: not known */
  url: string | undefined;
  /** how a problem is fixed besides setup */
  fix?: string;
  /** whether setup is to keep it, so that it fixes nothing here */
  isKept?: true;
  /** option with which setup writes the address that the pack is to have */
  option: string;
}

/** A server's folder, with what is known besides. */
export interface Target {
  system: DoctorSystem;
  server: ServerFolder;
  running: RunningServer | undefined;
  /** the sidecar with the name and token of this game server */
  sidecar: CheckedSidecar | undefined;
  behavior: BuiltPack;
  resource: BuiltPack | undefined;
  /** uuid of the script module of this build */
  module: string;
  /** command that sets the server up, with the address that the pack is to have */
  setup: string;
  /** the address that the pack has; undefined: variables.json cannot be read */
  address: CheckedBridgeUrl | undefined;
}
