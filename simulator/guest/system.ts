import { CustomCommandRegistry } from "./commands.ts";
import { endJob, schedule, startJob, tickNumber, unschedule } from "./schedule.ts";
import { Signal } from "./signals.ts";
import { surface } from "./surface.ts";

const before = {
  startup: new Signal<object>("StartupBeforeEventSignal"),
  shutdown: new Signal<object>("ShutdownBeforeEventSignal"),
  watchdogTerminate: new Signal<object>("WatchdogTerminateBeforeEventSignal"),
};

/** The signals themselves, for the simulator. */
export const systemSignals = { before };

class SystemBeforeEvents {
  get startup() {
    return before.startup;
  }
  get shutdown() {
    return before.shutdown;
  }
  get watchdogTerminate() {
    return before.watchdogTerminate;
  }
}

class SystemAfterEvents {}

const beforeEvents = new SystemBeforeEvents();
const afterEvents = new SystemAfterEvents();

export class System {
  get beforeEvents(): SystemBeforeEvents {
    return beforeEvents;
  }
  get afterEvents(): SystemAfterEvents {
    return afterEvents;
  }
  get currentTick(): number {
    return tickNumber();
  }
  get isEditorWorld(): boolean {
    return false;
  }
  run(callback: () => unknown): number {
    return schedule(callback, 0, 0);
  }
  runTimeout(callback: () => unknown, tickDelay = 0): number {
    return schedule(callback, tickDelay, 0);
  }
  runInterval(callback: () => unknown, tickInterval = 1): number {
    const every = Math.max(1, Math.floor(tickInterval));
    return schedule(callback, every, every);
  }
  clearRun(runId: number): void {
    unschedule(runId);
  }
  runJob(generator: Generator<unknown, unknown, unknown>): number {
    return startJob(generator);
  }
  clearJob(jobId: number): void {
    endJob(jobId);
  }
  waitTicks(ticks: number): Promise<void> {
    return new Promise(resolve => schedule(() => resolve(), Math.max(1, ticks), 0));
  }
}

const registry = new CustomCommandRegistry();

/** What startup callbacks get. The other registries are not simulated. */
export class StartupEvent {
  get customCommandRegistry(): CustomCommandRegistry {
    return registry;
  }
}

surface(
  "System",
  System,
  `beforeEvents:re afterEvents:re currentTick:re isEditorWorld:re run:re runTimeout:re runInterval:re clearRun:re
  runJob:re clearJob:re waitTicks:re`,
  "serverSystemInfo sendScriptEvent",
);
surface("SystemBeforeEvents", SystemBeforeEvents, "startup:re shutdown:re watchdogTerminate:re");
surface("SystemAfterEvents", SystemAfterEvents, "", "scriptEventReceive");
surface(
  "StartupEvent",
  StartupEvent,
  "customCommandRegistry:re",
  "blockComponentRegistry dimensionRegistry itemComponentRegistry",
);
