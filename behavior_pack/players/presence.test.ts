import { describe, expect, it } from "@jest/globals";
import { delays, firstFault, loseRequests, loseResponses } from "../../lab/simulator/faults.ts";
import { seededRandom } from "../../lab/simulator/random.ts";
import type { Simulator } from "../../lab/simulator/simulator.ts";
import { type CompiledPack, startCompiledPack } from "../testing/compiled.ts";
import { linkOpen, playground } from "../testing/harness.ts";
import { joinsAndLeaves } from "../testing/joins-and-leaves.ts";

/** The compiled pack, connected, with a snapshot every 200 ms; each tick takes 50 ms. */
async function begin(options: Parameters<typeof startCompiledPack>[0] = {}): Promise<CompiledPack> {
  let tick = (): number => 0;
  const made = await startCompiledPack({ now: () => 1_700_000_000_000 + 50 * tick(), ...options });
  tick = () => made.sim.world.tick;
  made.sidecar.refreshMs = 200;
  await made.sim.until(() => made.sidecar.of("snapshot").length > 0);
  return made;
}

/** Long enough for some snapshots. */
async function settle({ sim, sidecar }: CompiledPack): Promise<void> {
  const before = sidecar.of("snapshot").length;
  await sim.until(() => sidecar.of("snapshot").length >= before + 8);
}

const names = (sim: Simulator): string[] => sim.world.players.map(({ name }) => name).sort();

/** Who is online after these events. */
function there(events: readonly string[]): string[] {
  const last = new Map(events.map(line => [line.slice(line.indexOf(" ") + 1), line.startsWith("join")]));
  return [...last].flatMap(([name, is]) => (is ? [name] : [])).sort();
}

describe("the online players, by the reported facts", () => {
  it.each([
    ["leaves in the tick of joining", 3, undefined, []],
    ["is kicked before this pack gets the spawn event", 0, "before", []],
    ["is kicked in this pack's spawn event", 0, "after", ["join Alex", "leave Alex"]],
  ] as const)("do not keep a player who %s", async (_what, spawnDelayTicks, kicked, expected) => {
    const game = await begin({ spawnDelayTicks });
    const { sim, sidecar } = game;
    const alex = sim.world.join("Alex", { ...(kicked && { kicked }) });
    if (!kicked) alex.leave();
    await settle(game);
    expect(joinsAndLeaves(sidecar.facts)).toEqual(expected);
  });

  it.each([0, 3])(
    "have a player who leaves and rejoins in the same tick (spawning after %i)",
    async delay => {
      const game = await begin({ spawnDelayTicks: delay });
      const { sim, sidecar } = game;
      sim.world.join("Steve");
      await settle(game);
      sim.world.player("Steve").leave();
      sim.world.join("Steve");
      await settle(game);
      expect(joinsAndLeaves(sidecar.facts)).toEqual(["join Steve", "leave Steve", "join Steve"]);
    },
  );

  it("keep a player who gets a new object, without a leave, also while a snapshot is read", async () => {
    const game = await begin();
    const { sim, sidecar } = game;
    for (let i = 0; i < 40; i++) sim.world.join(`Player ${i}`);
    await settle(game);
    for (let i = 0; i < 40; i++) {
      for (const player of sim.world.players) if (Number(player.id) % 7 === -(i % 7)) player.replaceObject();
      await sim.tick();
    }
    await settle(game);
    const events = joinsAndLeaves(sidecar.facts);
    expect(events).toHaveLength(40);
    expect(there(events)).toEqual(names(sim));
  });

  it.each([1, 2, 3])("never have a false join (seed %i)", async seed => {
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
    await sim.until(() => String(there(joinsAndLeaves(sidecar.facts))) === String(names(sim)));
    const events = joinsAndLeaves(sidecar.facts);
    for (const [name, times] of joins)
      expect(events.filter(line => line === `join ${name}`).length).toBeLessThanOrEqual(times);
    expect(lines().filter(line => line.includes("unexpected"))).toEqual([]);
  });
});

describe("a snapshot", () => {
  it.each(["s1", "s2"])(
    "[FACT-17] from before an outage is not sent after it (session %s)",
    async session => {
      const game = playground();
      game.join("Alex");
      const steve = game.join("Steve");
      await game.start();
      game.sidecar.mode = "silent";
      await game.tick(105);
      expect(game.sidecar.unanswered.map(({ body }) => body).join()).toContain("Steve");
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
    },
  );

  it("does not restore the old object of a player who rejoined while it was read", async () => {
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

  it("[FACT-18] includes a player who is unreadable for a while, with their last health", async () => {
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
