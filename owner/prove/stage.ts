import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemSigns } from "../bds/system.ts";
import type { Change } from "../setup/change.ts";
import { systemDisk } from "../setup/disk.ts";
import { isTaken } from "../setup/ports.ts";
import { type Surroundings, setUp, undo } from "../setup/setup.ts";
import { type GameProcess, gameConsole, startGame } from "./game-process.ts";
import type { Ports } from "./network.ts";
import type { Processes } from "./processes.ts";
import type { Program } from "./program.ts";
import { type Ready, untilReady } from "./ready.ts";
import { makeSide, type SideFolder, type SideProcess, startSide, withoutSettings } from "./side.ts";
import { emptyLists, type Openness, propertiesFor, setUpProperties } from "./world.ts";

/** What the trial has to do with the machine. */
export interface Around {
  processes: Processes;
  /** milliseconds since some moment, never set back */
  now(): number;
  /** whether game servers get a terminal */
  script: boolean;
  /** whether the trial has a network of its own, which nobody else sees */
  isAlone: boolean;
  /** ends everything */
  signal: AbortSignal;
  /** the sidecar's program */
  sidecar: string;
  /** folders of the packs; that with the probes may be missing */
  packs: { behavior: string; resource: string; probes: string };
}

/** One copy of the program with a new world and a sidecar of its own. */
export interface Stage {
  folder: string;
  side: SideFolder;
  ports: Ports;
  console: ReturnType<typeof gameConsole>;
  /** the game server that was started last */
  readonly game: GameProcess | undefined;
  /** Starts the game server. `gone` is called when it ends by itself. @throws NotThere */
  start(gone?: () => void): Promise<Ready>;
  /** the longest that a game server has run without a stop, in milliseconds */
  longestMs(): number;
  /** Whether it ended by itself; true where none runs. */
  stop(): Promise<boolean>;
  kill(): Promise<void>;
  /** Sets the copy up as an owner does; what was changed. */
  setUp(asked?: { moduleVersions?: string; chestForm?: boolean }): Promise<readonly Change[]>;
  undo(): Promise<void>;
  startSide(): Promise<void>;
  /** why the sidecar has ended by itself; undefined: it runs, or was never started */
  readonly sideEnd: string | undefined;
  /** Ends both. */
  end(): Promise<void>;
}

/** What a stage is made of. */
interface Setting {
  program: Program;
  /** folder of the trial */
  place: string;
  /** name of its folder there */
  name: string;
  ports: Ports;
  /** folder of the pack that is put in */
  behavior: string;
  openness: Openness;
}

/** Copies the program. Nothing is started. */
export async function makeStage(setting: Setting, around: Around): Promise<Stage> {
  const { program, place, name, ports, behavior, openness } = setting;
  const { processes, now, script, signal } = around;
  const folder = join(place, name);
  mkdirSync(folder);
  await program.copyTo(folder, signal);
  emptyLists(folder);
  setUpProperties(folder, propertiesFor(ports, openness));
  const side = makeSide(join(place, `${name}-sidecar`), ports);
  const console = gameConsole();
  let game: GameProcess | undefined;
  let sidecar: SideProcess | undefined;
  let [begun, longest] = [0, 0];

  const surroundings: Surroundings = {
    disk: systemDisk,
    signs: systemSigns,
    env: withoutSettings(process.env),
    isTaken,
    packs: { behavior, resource: around.packs.resource },
  };
  const options = { server: folder, config: side.config, dryRun: false };
  const agree = async (): Promise<boolean> => true;

  async function stop(): Promise<boolean> {
    return game === undefined || game.end !== undefined || (await game.stop());
  }
  return {
    ...{ folder, side, ports, console },
    get game() {
      return game;
    },
    async start(gone) {
      signal.throwIfAborted();
      const since = console.lines.length;
      game = startGame({ folder, program, console, processes, now, script });
      begun = now();
      void game.ended.then(({ isAsked, afterMs }) => {
        longest = Math.max(longest, afterMs);
        if (!isAsked) gone?.();
      });
      return untilReady(console, game, since, now);
    },
    longestMs: () => Math.max(longest, game === undefined || game.end !== undefined ? 0 : now() - begun),
    stop,
    async kill() {
      await game?.kill();
    },
    async setUp(asked) {
      const wanted = { ...options, bridgeUrl: undefined, chestForm: undefined, ...asked };
      return (await setUp(wanted, surroundings, agree)).plan.changes;
    },
    async undo() {
      await undo(options, surroundings, agree);
    },
    async startSide() {
      signal.throwIfAborted();
      sidecar = await startSide(side, around.sidecar);
    },
    get sideEnd() {
      return sidecar?.end;
    },
    async end() {
      await stop();
      console.close();
      await sidecar?.stop();
    },
  };
}
