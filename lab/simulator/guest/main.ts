// Entry point of the guest: the script API inside the VM. Bundled into one ES module,
// dist/simulator/guest.js, whose only export is `start`. See guest-source.ts beside this folder.
import { BETA_MEMBERS } from "./beta-members.ts";
import { connect } from "./bridge.ts";
import { takeCommand } from "./commands.ts";
import { putPlayer } from "./entities.ts";
import { rejectForms } from "./forms.ts";
import { prepareGlobals, setWall } from "./globals.ts";
import type { Boot, Host, TickInput } from "./host.ts";
import { askJoins } from "./joins.ts";
import { enterMode } from "./mode.ts";
import { makeModules } from "./modules.ts";
import { beginAt, hasJobs, runJobs } from "./schedule.ts";
import { emitBefore, emitEarly } from "./signals.ts";
import { applySurfaces } from "./surface.ts";
import { startupEvent, systemSignals } from "./system.ts";
import { loadWorld, runTick } from "./tick.ts";

const NOTHING: TickInput = {};

/** Functions for the host. */
export interface Guest {
  /** Exports of each module the pack can import. */
  readonly modules: Record<string, Record<string, unknown>>;
  /** JSON: names of the exports of each module. */
  readonly exportNames: string;
  /** `system.beforeEvents.startup`, after which normal execution begins. */
  startup(): void;
  /** Sets the input of the next tick. `json` is a TickInput. */
  take(json: string): void;
  /** Runs the handlers for players who join in the next tick. */
  admit(): void;
  /** One tick without its jobs, at wall time `now`. Returns whether there are jobs. */
  tick(now: number): boolean;
  /** Runs the jobs of this tick. */
  jobs(): void;
  /** `system.beforeEvents.shutdown`, then open forms are rejected. */
  shutdown(): void;
}

/** Builds the script API on a host. Called once, before the pack is evaluated. */
export function start(host: Host, bootJson: string): Guest {
  const boot: Boot = JSON.parse(bootJson);
  connect(host, boot);
  prepareGlobals(boot.now);
  beginAt(boot.tick);
  if (boot.worldLoad) loadWorld();
  for (const player of boot.players) putPlayer(player);
  for (const name of boot.takenCommands) takeCommand(name);
  const omit = new Set([...boot.omit, ...(boot.isStable ? BETA_MEMBERS : [])]);
  applySurfaces(omit);
  const modules = makeModules(omit);
  let input = NOTHING;
  const names = Object.entries(modules).map(([module, exports]) => [module, Object.keys(exports)]);
  return {
    modules,
    exportNames: JSON.stringify(Object.fromEntries(names)),
    startup() {
      emitEarly(systemSignals.before.startup, startupEvent);
    },
    take(json) {
      input = JSON.parse(json);
    },
    admit() {
      enterMode("normal");
      askJoins(input.inputs ?? []);
    },
    tick(now) {
      setWall(now);
      enterMode("normal");
      const given = input;
      input = NOTHING;
      runTick(given);
      return hasJobs();
    },
    jobs: runJobs,
    shutdown() {
      emitBefore(systemSignals.before.shutdown, {});
      enterMode("restricted");
      rejectForms("ServerShutdown");
    },
  };
}
