import { expect, it } from "@jest/globals";
import type { PlayerRow } from "../../shared/facts.ts";
import { createKnownList } from "../../sidecar/app/known-list.ts";
import { createKnownPlayers, type KnownPlayers } from "../../sidecar/app/known-players.ts";
import { playerUuid } from "../../sidecar/app/players.ts";
import { type Snapshot, withoutPlayer } from "../../sidecar/domain/snapshot.ts";
import type { KnownStore } from "../../sidecar/ports/known.ts";
import type { Clock, Turn } from "../../sidecar/ports.ts";
import { openKnownFile } from "../../sidecar/store/known-file.ts";
import { ManualClock } from "../helpers/clock.ts";
import { newFolder } from "../helpers/folder.ts";
import { RecordingLog } from "../helpers/log.ts";
import { row } from "../helpers/rows.ts";

const PLAYERS = 2_000;
const HOUR_MS = 3_600_000;
const HOURS = 365 * 24;
const TURN: Turn = { token: "turn" };

/** Numbers from 0 up to 1 that are the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const timesOf = (clock: ManualClock): Clock => ({
  now: clock.now,
  monotonic: clock.monotonic,
  after: (ms, callback) => clock.after(ms, callback),
  every: (ms, callback) => clock.every(ms, callback),
  soon: callback => clock.soon(callback),
});

/** What a player did, written down as it was done. */
interface Ledger {
  visits: number;
  seconds: number;
  deaths: number;
  isHidden: boolean;
}

it("knows after a year of 2,000 players what each of them did, over kills, crashes, hiding and forgetting", async () => {
  const random = numbers(7);
  const pick = (most: number): number => Math.floor(random() * most);
  const clock = new ManualClock();
  const log = new RecordingLog();
  const ledger = new Map<string, Ledger>();
  const online = new Map<string, PlayerRow>();
  /** what the pack keeps of those who are away */
  const figures = new Map<string, Pick<PlayerRow, "deaths" | "playerKills" | "playtimeSeconds">>();
  const resting = new Set<string>();
  let last: Snapshot | undefined;
  const world = {
    name: "main",
    game: { act: async () => ({ id: "", status: "done" as const }) },
    bus: { lastSnapshot: async () => last },
    uuidOf: (player: PlayerRow["player"]) => playerUuid(player, ""),
    snapshots: { fresh: () => undefined },
  };
  const worlds = { first: world, all: [world] };
  const folder = newFolder("year-");
  function open(): { store: KnownStore; known: KnownPlayers } {
    const store = openKnownFile(folder, log);
    const known = createKnownPlayers({
      ...{ log, store, worlds },
      // In a year of minutes, most of the time would go into looks for what may be erased.
      clock: { ...timesOf(clock), every: (ms, look) => clock.every(24 * 60 * ms, look) },
      keep: async (_name, step) => step(TURN),
      limits: { most: 100_000, keepForMs: 730 * 24 * HOUR_MS, staysForMs: 30 * 24 * HOUR_MS },
    });
    return { store, known };
  }
  let now = open();

  const noted = (name: string): Ledger => {
    const found = ledger.get(name) ?? { visits: 0, seconds: 0, deaths: 0, isHidden: false };
    ledger.set(name, found);
    return found;
  };
  async function join(name: string): Promise<void> {
    const kept = figures.get(name) ?? { deaths: 0, playerKills: 0, playtimeSeconds: 0 };
    resting.delete(name);
    // Nobody joins twice in one moment.
    clock.advance(1);
    const own = noted(name);
    own.visits++;
    const came = row(name, { ...kept, since: clock.now(), ...(own.isHidden && { hidden: true }) });
    online.set(name, came);
    await now.known.of("main").joined(came, TURN);
    if (last) last = { ...last, rows: [...withoutPlayer(last.rows, came.player.id), came] };
  }
  async function leave(name: string, isTold = true): Promise<void> {
    const went = online.get(name);
    if (went === undefined) return;
    online.delete(name);
    figures.set(name, went);
    if (!isTold) return;
    await now.known.of("main").left(went, TURN);
    if (last) last = { ...last, rows: withoutPlayer(last.rows, went.player.id) };
  }
  async function report(): Promise<void> {
    const snapshot = { at: clock.now(), tps: 20, rows: [...online.values()] };
    await now.known.of("main").listed(snapshot, TURN);
    last = snapshot;
  }

  for (let hour = 0; hour < HOURS; hour++) {
    clock.advance(HOUR_MS - 1_000 * pick(600));
    for (const [name, there] of online) {
      if (resting.has(name)) continue;
      const [more, died] = [3_000 + pick(600), pick(3)];
      online.set(name, {
        ...there,
        playtimeSeconds: there.playtimeSeconds + more,
        deaths: there.deaths + died,
      });
      const own = noted(name);
      own.seconds += more;
      own.deaths += died;
    }
    await report();
    for (let i = pick(4); i > 0; i--) {
      const name = `Player${pick(PLAYERS)}`;
      if (!online.has(name)) await join(name);
    }
    for (const name of [...online.keys()]) if (pick(3) === 0) await leave(name);
    const [somebody] = online.keys();
    if (somebody !== undefined && pick(200) === 0) {
      const own = noted(somebody);
      own.isHidden = !own.isHidden;
      const { hidden: _was, ...rest } = online.get(somebody) ?? row(somebody);
      online.set(somebody, { ...rest, ...(own.isHidden && { hidden: true }) });
      await report();
    }
    if (somebody !== undefined && pick(300) === 0) {
      const there = online.get(somebody) ?? row(somebody);
      ledger.set(somebody, { ...noted(somebody), visits: 0, seconds: 0, deaths: 0 });
      resting.add(somebody);
      online.set(somebody, { ...there, deaths: 0, playerKills: 0, playtimeSeconds: 0 });
      await now.known
        .of("main")
        .forgot({ is: "forgot", player: there.player, since: there.since ?? 0 }, TURN);
    }
    // A sidecar that is killed, an orderly restart, and a crash of the game, whose players come back.
    if (pick(100) === 0) now = open();
    if (pick(100) === 0) {
      await now.known.stop();
      await now.store.close();
      now = open();
    }
    if (pick(150) === 0) {
      const there = [...online.keys()];
      for (const name of there) await leave(name, false);
      for (const name of there.filter(() => pick(2) === 0)) await join(name);
      await report();
    }
  }
  for (const name of [...online.keys()]) await leave(name);

  const list = createKnownList({ store: now.store, worlds });
  const told = new Map<string, { visits: number; playtimeSeconds: number; deaths: number }>();
  let after: Awaited<ReturnType<typeof list.page>>["next"];
  do {
    const page = await list.page({ sort: "playtime", limit: 200, after });
    for (const each of page.players) {
      expect(told.has(each.name)).toBe(false);
      told.set(each.name, each);
    }
    after = page.next;
  } while (after);
  const expected = new Map(
    [...ledger]
      .filter(([, { visits, isHidden }]) => visits > 0 && !isHidden)
      .map(([name, { visits, seconds, deaths }]) => [name, { visits, playtimeSeconds: seconds, deaths }]),
  );
  expect(told.size).toBe(expected.size);
  expect(told.size).toBeGreaterThan(PLAYERS * 0.8);
  for (const [name, own] of expected) expect([name, told.get(name)]).toMatchObject([name, own]);
  expect([...expected.values()].reduce((sum, { visits }) => sum + visits, 0)).toBeGreaterThan(5_000);
  expect(log.lines).toEqual([]);
}, 300_000);
