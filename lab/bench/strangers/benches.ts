import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pidusage from "pidusage";
import { SidecarProcess } from "../../chaos/sidecar-process.ts";
import { SIDECAR } from "../../scale/built.ts";
import { findRedisServer } from "../../scale/redis-server.ts";
import { type Bench, PLAYERS, type Result, type Skipped } from "../bench.ts";
import { leaveNothing } from "../leftovers.ts";
import { snapshot } from "../pack.ts";
import type { Stranger } from "../roles/stranger.ts";
import { BenchRedis } from "../shared/redis.ts";
import { ARENAS, TOKEN } from "../sidecar.ts";
import { Teller } from "../teller.ts";
import { Worker } from "../worker.ts";
import { STRANGER } from "./attack.ts";
import { ATTACKS, type AttackName } from "./attacks.ts";
import { resultOf } from "./result.ts";
import { createVisitor, LONG } from "./visitor.ts";

const WARM_UP_MS = 2_000;
const REST_MS = 4_000;
const ATTACK_MS = 8_000;
const FEED = 500;
const FEED_AT_ONCE = 25;

const names = Object.keys(ATTACKS) as AttackName[];
const ofOneAddress = names.filter(name => !("addresses" in ATTACKS[name]));

/** One address at the limits as they come, or some, and what another visitor notices of it. */
export const strangerBenches: readonly Bench[] = [
  ...names.map(
    (name): Bench => ({
      name: `strangers-${name}`,
      about: ATTACKS[name].about,
      run: say => attacked([name], say),
    }),
  ),
  {
    name: "strangers-together",
    about: "does at once all that one address does above",
    run: say => attacked(ofOneAddress, say),
  },
  {
    name: "strangers-over-rate-redis",
    about: "goes on asking past its rate, as above, where the sidecar keeps its counts in Redis",
    async run(say) {
      if (findRedisServer() === undefined) return { skipped: "there is no redis-server on this machine" };
      const redis = await BenchRedis.start("everysec");
      return attacked(["over-rate"], say, redis.env());
    },
  },
];

async function attacked(
  attacks: readonly AttackName[],
  say: (words: string) => void,
  env: Record<string, string> = {},
): Promise<Result | Skipped> {
  if (!(await hasAddress(STRANGER))) return { skipped: `this machine has no ${STRANGER}` };
  const sidecar = await startAlone(env);
  const { public: base, bridge } = sidecar.urls;
  const game = await playGame(bridge);
  const visitor = await createVisitor({
    base,
    say: line => void game.say(line, 1).catch(() => undefined),
    memory: async () => (await pidusage(sidecar.pid ?? 0)).memory / 2 ** 20,
  });
  leaveNothing(visitor.end);
  await visitor.look(WARM_UP_MS);
  const rest = await visitor.look(REST_MS);
  say("the attack begins");
  const stranger = await Worker.start<Stranger>("stranger");
  await stranger.ask("begin", { base, names: attacks });
  return resultOf(rest, await visitor.look(ATTACK_MS));
}

/** The sidecar with the settings as they come, in a process that has nothing else in it: its memory is a part of the figure. */
async function startAlone(env: Record<string, string>): Promise<SidecarProcess> {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-bench-"));
  const sidecar = new SidecarProcess(SIDECAR, folder, { WEB_BRIDGE_BRIDGE_TOKEN: TOKEN, ...ARENAS, ...env });
  leaveNothing(async () => {
    await sidecar.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await sidecar.start();
  return sidecar;
}

/** Whether connections can be opened from this address. */
async function hasAddress(host: string): Promise<boolean> {
  const server = createServer().listen(0, host);
  const isThere = await once(server, "listening").then(
    () => true,
    () => false,
  );
  server.close();
  return isThere;
}

/** A game with players and a feed full of long lines, which does what it is asked for; its faults are what a visitor misses. */
async function playGame(bridge: string): Promise<Teller> {
  const game = await Teller.connect(bridge);
  await game.tell(snapshot(PLAYERS, 0));
  for (let said = 0; said < FEED; said += FEED_AT_ONCE) await game.say(LONG, FEED_AT_ONCE);
  let snapshots = 1;
  const next = (): unknown => game.tell(snapshot(PLAYERS, snapshots++)).catch(() => undefined);
  const timer = setInterval(next, game.refreshMs);
  leaveNothing(() => clearInterval(timer));
  game.keepPolling(() => undefined).catch(() => undefined);
  return game;
}
