import type { Player } from "@minecraft/server";
import { checkAllowList, createAllowList } from "./game/allow-list.ts";
import { registerCommands } from "./game/command-registry.ts";
import { subscribe } from "./game/events.ts";
import { createReportMissing } from "./game/features.ts";
import { createForms } from "./game/forms.ts";
import { refuseJoins } from "./game/joins.ts";
import { checkNet, createHttpClient } from "./game/net.ts";
import { checkServer, createClock, createPlayers, createStore, timers } from "./game/server.ts";
import { createNotices } from "./notices.ts";
import { createPack, type Pack } from "./pack.ts";
import type { Say } from "./ports.ts";

/** How long to wait for `worldLoad` before the pack starts without it, in ticks. */
const BEGIN_AFTER_TICKS = 20;

const say: Say = (line, level = "warn") => console[level](`[web bridge] ${line}`);
const warn = createReportMissing(createNotices(say));
const { run, runTimeout, runInterval } = timers();

let pack: Pack<Player> | undefined;
let gameClock: ReturnType<typeof createClock> | undefined;
let hasBegun = false;
let counted = 0;

function start(): void {
  if (hasBegun) return;
  hasBegun = true;
  checkServer(warn);
  checkNet(warn);
  checkAllowList(warn);
  gameClock = createClock(() => counted);
  pack = createPack({
    clock: gameClock,
    random: () => Math.random(),
    say,
    soon: callback => (run === undefined ? Promise.resolve().then(callback) : run(callback)),
    http: createHttpClient(),
    players: createPlayers(warn),
    store: createStore(),
    forms: createForms(warn),
    allowList: createAllowList(gameClock.tick),
  });
  pack.begin();
  refuseJoins(pack.refusal, warn);
}

/** The pack, started if needed: an event shows that the world is loaded, and after `/reload` there is no `worldLoad`. */
function started(): Pack<Player> | undefined {
  start();
  return pack;
}

function step(): void {
  counted++;
  if (counted >= BEGIN_AFTER_TICKS) start();
  gameClock?.beat();
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
    left: id => started()?.left(id),
    said: (...line) => started()?.said(...line),
    died: (id, killer) => started()?.died(id, killer),
  },
  warn,
);
registerCommands(() => pack?.commands, warn, say);
if (run === undefined) warn("system.run", "events are sent in the next tick at the latest");
everyTick();
