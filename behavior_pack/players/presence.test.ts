import { describe, expect, it } from "@jest/globals";
import { delays, firstFault, loseRequests, loseResponses } from "../../lab/simulator/faults.ts";
import { seededRandom } from "../../lab/simulator/random.ts";
import type { Simulator } from "../../lab/simulator/simulator.ts";
import { comings } from "../testing/comings.ts";
import { type Stage, stage } from "../testing/compiled.ts";
import { linkOpen, playground } from "../testing/harness.ts";

/** The compiled pack, connected, with a snapshot every 200 ms; each tick takes 50 ms of its clock. */
async function begin(options: Parameters<typeof stage>[0] = {}): Promise<Stage> {
  let tick = (): number => 0;
  const made = await stage({ now: () => 1_700_000_000_000 + 50 * tick(), ...options });
  tick = () => made.sim.world.tick;
  made.sidecar.refreshMs = 200;
  await made.sim.until(() => made.sidecar.of("snapshot").length > 0);
  return made;
}

/** Long enough for some snapshots. */
async function settle({ sim, sidecar }: Stage): Promise<void> {
  const before = sidecar.of("snapshot").length;
  await sim.until(() => sidecar.of("snapshot").length >= before + 8);
}

const names = (sim: Simulator): string[] => sim.world.players.map(({ name }) => name).sort();

/** Who is there after all that was told. */
function there(told: readonly string[]): string[] {
  const last = new Map(told.map(line => [line.slice(line.indexOf(" ") + 1), line.startsWith("join")]));
  return [...last].flatMap(([name, is]) => (is ? [name] : [])).sort();
}

describe("who is there, by all that the pack tells", () => {
  it.each([
    ["leaves in the tick of joining", 3, undefined, []],
    ["is sent away before this pack hears of the spawning", 0, "before", []],
    ["is sent away as soon as this pack has heard of it", 0, "after", ["join Alex", "leave Alex"]],
  ] as const)("has no ghost of a player who %s", async (_what, spawnDelayTicks, kicked, expected) => {
    const game = await begin({ spawnDelayTicks });
    const { sim, sidecar } = game;
    const alex = sim.world.join("Alex", { ...(kicked && { kicked }) });
    if (!kicked) alex.leave();
    await settle(game);
    expect(comings(sidecar.facts)).toEqual(expected);
  });

  it.each([0, 3])("has whoever leaves and is back in the same tick (spawning after %i)", async delay => {
    const game = await begin({ spawnDelayTicks: delay });
    const { sim, sidecar } = game;
    sim.world.join("Steve");
    await settle(game);
    sim.world.player("Steve").leave();
    sim.world.join("Steve");
    await settle(game);
    expect(comings(sidecar.facts)).toEqual(["join Steve", "leave Steve", "join Steve"]);
  });

  it("has whoever gets another object, without a leave, also while a snapshot is read", async () => {
    const game = await begin();
    const { sim, sidecar } = game;
    for (let i = 0; i < 40; i++) sim.world.join(`Player ${i}`);
    await settle(game);
    for (let i = 0; i < 40; i++) {
      for (const player of sim.world.players) if (Number(player.id) % 7 === -(i % 7)) player.replaceObject();
      await sim.tick();
    }
    await settle(game);
    const told = comings(sidecar.facts);
    expect(told).toHaveLength(40);
    expect(there(told)).toEqual(names(sim));
  });

  it.each([1, 2, 3])("never has a join that was none (seed %i)", async seed => {
    const random = seededRandom(seed);
    const { sim, sidecar, lines } = await begin({ spawnDelayTicks: seed % 3 });
    const joins = new Map<string, number>();
    sim.http.setFaults(
      firstFault(loseRequests(0.1, seed, "atOnce"), loseResponses(0.1, seed, "atOnce"), delays(0.3, seed, 6)),
    );
    for (let tick = 0; tick < 400; tick++) {
      const name = `Player ${Math.floor(random() * 12)}`;
      const dice = random();
      const player = sim.world.find(name);
      if (!player && dice < 0.6) {
        joins.set(name, (joins.get(name) ?? 0) + 1);
        if (dice < 0.1) sim.world.join(name, { kicked: dice < 0.05 ? "before" : "after" });
        else if (dice < 0.2) sim.world.join(name).leave();
        else sim.world.join(name);
      } else if (player && dice < 0.2) player.leave();
      else if (player && dice < 0.3) player.replaceObject();
      else if (player && dice < 0.35) player.broken = player.broken ? undefined : ["currentValue"];
      if (random() < 0.7) await sim.tick();
    }
    for (const player of sim.world.players) player.broken = undefined;
    await sim.until(() => String(there(comings(sidecar.facts))) === String(names(sim)));
    const told = comings(sidecar.facts);
    for (const [name, times] of joins)
      expect(told.filter(line => line === `join ${name}`).length).toBeLessThanOrEqual(times);
    expect(lines().filter(line => line.includes("unexpected"))).toEqual([]);
  });
});

describe("a snapshot", () => {
  it.each(["s1", "s2"])("[FACT-17] of before an outage is not told after it (session %s)", async session => {
    const game = playground();
    game.join("Alex");
    const steve = game.join("Steve");
    await game.start();
    game.sidecar.mode = "silent";
    await game.tick(105);
    expect(game.sidecar.held.map(({ body }) => body).join()).toContain("Steve");
    game.sidecar.mode = "refuse";
    game.sidecar.http.cancelAll();
    await game.tick(100);
    game.leave(steve);
    game.sidecar.session = session;
    game.sidecar.mode = "ok";
    const before = game.sidecar.facts.length;
    await game.tick(400);
    expect(JSON.stringify(game.sidecar.facts.slice(before))).not.toContain("Steve");
    expect(game.sidecar.rows().map(row => row.player.name)).toEqual(["Alex"]);
  });

  it("does not bring back the object of a player who left and joined while it was read", async () => {
    const game = playground();
    for (let i = 0; i < 20; i++) game.join(`Player ${i}`);
    game.pack.begin();
    await game.tick(2);
    const [old] = game.players.slice(-1);
    if (old) game.leave(old);
    const again = game.join("Player 19");
    await game.tick(4);
    expect(game.sidecar.rows()).toHaveLength(20);
    game.sidecar.act(linkOpen("r1", "Player 19"));
    await game.tick(4);
    expect([old?.forms.length, again.forms.length]).toEqual([0, 1]);
  });

  it("[FACT-18] has a player who cannot be read for a while, with the health read last", async () => {
    const game = playground();
    const steve = game.join("Steve", { health: 7 });
    await game.start();
    steve.broken = true;
    const before = game.sidecar.of("snapshot").length;
    await game.tick(105);
    expect(game.sidecar.of("snapshot").length).toBeGreaterThan(before);
    expect(game.sidecar.rows().map(({ player, health }) => [player.name, health])).toEqual([["Steve", 7]]);
    game.leave(steve);
    await game.tick(105);
    expect(game.sidecar.rows()).toEqual([]);
  });
});
