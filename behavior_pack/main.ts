import type { Player } from "@minecraft/server";
import { checkAllowList, createAllowList } from "./game/allow-list.ts";
import { registerCommands } from "./game/command-registry.ts";
import { subscribe } from "./game/events.ts";
import { createMissing } from "./game/features.ts";
import { createForms } from "./game/forms.ts";
import { guardJoins } from "./game/joins.ts";
import { checkNet, createBridge } from "./game/net.ts";
import { checkServer, createClock, createPlayers, createStore, timers } from "./game/server.ts";
import { createNotices } from "./notices.ts";
import { createPack, type Pack } from "./pack.ts";
import type { Say } from "./ports.ts";

/** How long `worldLoad` may take before the pack begins without it, in ticks. */
const BEGIN_AFTER_TICKS = 20;

const say: Say = (line, level = "warn") => console[level](`[web bridge] ${line}`);
const lacks = createMissing(createNotices(say));
const { run, runTimeout, runInterval } = timers();

let pack: Pack<Player> | undefined;
let gameClock: ReturnType<typeof createClock> | undefined;
let begun = false;
let counted = 0;

function start(): void {
  if (begun) return;
  begun = true;
  checkServer(lacks);
  checkNet(lacks);
  checkAllowList(lacks);
  gameClock = createClock(() => counted);
  pack = createPack({
    clock: gameClock,
    random: () => Math.random(),
    say,
    soon: callback => (run === undefined ? Promise.resolve().then(callback) : run(callback)),
    bridge: createBridge(),
    players: createPlayers(lacks),
    store: createStore(),
    forms: createForms(lacks),
    allowList: createAllowList(gameClock.tick),
  });
  pack.begin();
  guardJoins(pack.refusal, lacks);
}

/** The pack once something has happened in the world, which is there then: `worldLoad` does not come after /reload. */
function awake(): Pack<Player> | undefined {
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
  lacks("system.runInterval", runTimeout === undefined ? "the bridge cannot run" : "timeouts take its place");
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
    joined: player => awake()?.joined(player),
    left: id => awake()?.left(id),
    said: (name, text, speaker) => awake()?.said(name, text, speaker),
    died: (id, killer) => awake()?.died(id, killer),
  },
  lacks,
);
registerCommands(() => pack?.commands, lacks, say);
if (run === undefined) lacks("system.run", "what happens is sent with the next tick at the latest");
everyTick();
