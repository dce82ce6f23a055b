import type { BuiltFolders } from "../../bds/built-pack.ts";
import type { ProcessTable } from "../../bds/running-servers.ts";
import type { RunBy } from "../../cli/run-by.ts";
import type { Environment } from "../../sidecar/config/environment.ts";
import type { Plan } from "./change.ts";
import type { KnownShow } from "./choices.ts";
import type { Disk } from "./disk.ts";
import type { IsPortInUse } from "./free-ports.ts";
import type { IsAlive } from "./setup-lock.ts";
import type { Transfer } from "./transfer.ts";
import type { Backup } from "./world-backup.ts";

export interface Options {
  /** folder of the server, or the program in it */
  server: string;
  /** configuration of the sidecar */
  config: string;
  /** address of the sidecar, or `default` for that of its configuration; undefined: as before */
  bridgeUrl: string | undefined;
  /** name of the game server in the sidecar's configuration; undefined: as before, or the first one */
  as?: string | undefined;
  /** whether players are asked in the chest form; undefined: no change */
  chestForm: boolean | undefined;
  /** who can read the list of known players; undefined: no change */
  knownPlayers?: KnownShow | undefined;
  /** versions of script modules for the pack's manifest; undefined: no change */
  moduleVersions?: string | undefined;
  /** whether the pack is the one that keeps achievements; undefined: it stays of its kind, or gets all features */
  keepAchievements?: boolean | undefined;
  dryRun: boolean;
  /** whether `server` is a part of the server's folder, downloaded from its host */
  isCopy?: boolean;
  /** set: the world is copied first */
  backup?: BackupTools | undefined;
}

/** Tools for a copy of the world. */
export interface BackupTools extends Pick<Backup, "report"> {
  /** wall time in milliseconds */
  now(): number;
  /** free bytes on the disk of a folder; undefined: not known */
  freeBytes(folder: string): number | undefined;
}

export interface SetupSystem {
  disk: Disk;
  processes: ProcessTable;
  env: Environment;
  packs: BuiltFolders;
  isAlive?: IsAlive;
  isPortInUse: IsPortInUse;
  /** lines about other configurations that running sidecars of this folder use */
  usedInstead?(config: string): string[];
}

export interface Outcome {
  server: string;
  plan: Plan;
  /** `nothing`: nothing to change; `shown`: dry run; `declined`: the owner said no */
  end: "nothing" | "shown" | "declined" | "done";
  /** address of the sidecar that the pack got */
  url?: string;
  /** what runs the sidecar; undefined: it is started by hand */
  runBy?: RunBy | undefined;
  /** the sidecar: one command can start it `together` with this game server, has this further one `as` a name, or is `remote` */
  place?: "together" | "remote" | { as: string };
  /** whether the pack is the one that keeps achievements */
  keepsAchievements?: boolean;
  /** folder of the copy of the world */
  backup?: string;
  /** what has to be changed on the host of a copy */
  transfer?: Transfer;
}

/** Shows a plan and asks whether to continue; with tools, after a copy of the world. */
export type Confirm = (plan: Plan) => Promise<boolean | BackupTools>;

/** Questions of the first setup of a server that no option answers. */
export interface Questions {
  /**
   * whether the pack is the one that keeps achievements
   * @param usual the answer if the owner gives none
   * @param hasUsedExperiments whether the world has lost its achievements already
   */
  keepAchievements(usual: boolean, hasUsedExperiments: boolean): Promise<boolean>;
  /** whether players are asked in the chest form */
  chestForm(): Promise<boolean>;
  /** whether the list of known players is public */
  knownPlayers(): Promise<boolean>;
  /** whether the world of `level-name` is the one that is played, although other worlds have the pack and it has not */
  isPlayedWorld(levelName: string, others: readonly string[]): Promise<boolean>;
}
