import type { Player } from "@minecraft/server";
import { registerCommands } from "./game/command-registry.ts";
import { subscribe } from "./game/events.ts";
import { createReportMissing, type ReportMissing } from "./game/features.ts";
import { createForms } from "./game/forms.ts";
import {
  checkServer,
  createClock,
  createPlayers,
  createStore,
  type PlayerParts,
  timers,
} from "./game/server.ts";
import { createNotices } from "./notices.ts";
import { createPack, type Pack } from "./pack.ts";
import type { AllowList, Clock, HttpClient, Say } from "./ports.ts";

/** How long to wait for `worldLoad` before the pack starts without it, in ticks. */
const BEGIN_AFTER_TICKS = 20;

/** What the pack with all features and the one that keeps achievements do differently. */
interface PackParts {
  players: PlayerParts;
  http: HttpClient;
  allowList: () => AllowList | undefined;
  /** see `PackDeps` */
  isKnown?(player: Player): boolean;
  begun?(pack: Pack<Player>): void;
  /** Called every tick before the pack's own work. */
  step?(): void;
  /** The player with this id has left; called after the pack's own work. */
  left?(id: string): void;
}

interface RunningPack {
  say: Say;
  warn: ReportMissing;
  /** The pack, started if needed: an event shows that the world is loaded, and after `/reload` there is no `worldLoad`. */
  started(): Pack<Player> | undefined;
}

/**
 * Runs the pack in the game; to be called in early execution. `createParts` is called once the world is loaded. `gameChat`: see
 * `PackDeps`.
 */
export function runPack(
  createParts: (clock: Clock, warn: ReportMissing) => PackParts,
  gameChat?: "command",
): RunningPack {
  const say: Say = (line, level = "warn") => console[level](`[web bridge] ${line}`);
  const warn = createReportMissing(createNotices(say));
  const { run, runTimeout, runInterval } = timers();

  let hasBegun = false;
  let pack: Pack<Player> | undefined;
  let parts: PackParts | undefined;
  let gameClock: ReturnType<typeof createClock> | undefined;
  let counted = 0;

  function start(): void {
    if (hasBegun) return;
    hasBegun = true;
    gameClock = createClock(() => counted);
    checkServer(warn);
    parts = createParts(gameClock, warn);
    const { players, http, allowList, isKnown } = parts;
    pack = createPack({
      clock: gameClock,
      random: () => Math.random(),
      say,
      soon: callback => (run === undefined ? Promise.resolve().then(callback) : run(callback)),
      http,
      players: createPlayers(players, warn),
      store: createStore(),
      forms: createForms(warn),
      allowList,
      gameChat,
      isKnown,
    });
    pack.begin();
    parts.begun?.(pack);
  }

  function started(): Pack<Player> | undefined {
    start();
    return pack;
  }

  function step(): void {
    counted++;
    if (counted >= BEGIN_AFTER_TICKS) start();
    gameClock?.beat();
    parts?.step?.();
    pack?.step();
  }

  function everyTick(): void {
    if (runInterval !== undefined) {
      runInterval(step, 1);
      return;
    }
    warn(
      "system.runInterval",
      runTimeout === undefined ? "the bridge cannot run" : "timeouts are used instead",
    );
    const again = (): void => {
      runTimeout?.(again, 1);
      step();
    };
    runTimeout?.(again, 1);
  }

  subscribe(
    {
      worldLoaded: start,
      shutdown: () => pack?.stop(),
      joined: player => started()?.joined(player),
      left(id) {
        started()?.left(id);
        parts?.left?.(id);
      },
      died: (id, killer) => started()?.died(id, killer),
    },
    warn,
  );
  registerCommands(player => pack?.commandsOf(player), gameChat === "command", warn, say);
  if (run === undefined) warn("system.run", "events are sent in the next tick at the latest");
  everyTick();
  return { say, warn, started };
}
