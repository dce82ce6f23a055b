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

type PlayerEvents = Pick<Pack<Player>, "joined" | "left" | "died">;

/** What the pack with all features and the one that keeps achievements do differently. */
interface PackParts {
  players: PlayerParts;
  http: HttpClient;
  allowList: () => AllowList | undefined;
  /** see `PackDeps` */
  gameChat?: "command";
  /** The pack has begun. Returns what takes the events of players, and what to call every tick before the pack's own work. */
  begun(pack: Pack<Player>): { events?: PlayerEvents; step?(): void };
}

export interface RunningPack {
  say: Say;
  warn: ReportMissing;
  /** The pack, started if needed: an event shows that the world is loaded, and after `/reload` there is no `worldLoad`. */
  started(): Pack<Player> | undefined;
}

/** Runs the pack in the game; to be called in early execution. `parts` is called once the world is loaded. */
export function runPack(parts: (clock: Clock, warn: ReportMissing) => PackParts): RunningPack {
  const say: Say = (line, level = "warn") => console[level](`[web bridge] ${line}`);
  const warn = createReportMissing(createNotices(say));
  const { run, runTimeout, runInterval } = timers();

  let hasBegun = false;
  let pack: Pack<Player> | undefined;
  let events: PlayerEvents | undefined;
  let stepFirst: (() => void) | undefined;
  let gameClock: ReturnType<typeof createClock> | undefined;
  let counted = 0;

  function start(): void {
    if (hasBegun) return;
    hasBegun = true;
    gameClock = createClock(() => counted);
    checkServer(warn);
    const { players, http, allowList, gameChat, begun } = parts(gameClock, warn);
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
    });
    pack.begin();
    const more = begun(pack);
    events = more.events ?? pack;
    stepFirst = more.step;
  }

  function started(): Pack<Player> | undefined {
    start();
    return pack;
  }

  function eventsOfPlayers(): PlayerEvents | undefined {
    start();
    return events;
  }

  function step(): void {
    counted++;
    if (counted >= BEGIN_AFTER_TICKS) start();
    gameClock?.beat();
    stepFirst?.();
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
      joined: player => eventsOfPlayers()?.joined(player),
      left: id => eventsOfPlayers()?.left(id),
      died: (id, killer) => eventsOfPlayers()?.died(id, killer),
    },
    warn,
  );
  registerCommands(() => pack?.commands, warn, say);
  if (run === undefined) warn("system.run", "events are sent in the next tick at the latest");
  everyTick();
  return { say, warn, started };
}
