import { CustomCommandRegistry } from "./commands.ts";
import { endJob, schedule, startJob, tickNumber, unschedule } from "./schedule.ts";
import { Signal } from "./signals.ts";
import { holder, surface } from "./surface.ts";

const before = {
  startup: new Signal<object>("StartupBeforeEventSignal"),
  shutdown: new Signal<object>("ShutdownBeforeEventSignal"),
  watchdogTerminate: new Signal<object>("WatchdogTerminateBeforeEventSignal"),
};

export const ScriptEventSource = {
  Block: "Block",
  Entity: "Entity",
  NPCDialogue: "NPCDialogue",
  Server: "Server",
} as const;

const after = {
  scriptEventReceive: new Signal<{ id: string; message: string; sourceType: string }>(
    "ScriptEventCommandMessageAfterEventSignal",
  ),
};

/** The signals themselves, for the simulator. */
export const systemSignals = { after, before };

const beforeEvents = holder("SystemBeforeEvents", before);
const afterEvents = holder("SystemAfterEvents", after);

export class System {
  get beforeEvents() {
    return beforeEvents;
  }
  get afterEvents() {
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
  waitTicks(ticks: number): Promise<void> {
    return new Promise(resolve => schedule(() => resolve(), Math.max(1, ticks), 0));
  }
}

Object.assign(System.prototype, { clearRun: unschedule, runJob: startJob, clearJob: endJob });

/** Argument of startup callbacks. The other registries are not simulated. */
export const startupEvent = holder(
  "StartupEvent",
  { customCommandRegistry: new CustomCommandRegistry() },
  "blockComponentRegistry dimensionRegistry itemComponentRegistry",
);

surface(
  "System",
  System,
  `beforeEvents:re afterEvents:re currentTick:re isEditorWorld:re run:re runTimeout:re runInterval:re clearRun:re
  runJob:re clearJob:re waitTicks:re`,
  "serverSystemInfo sendScriptEvent",
);
