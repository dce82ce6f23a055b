import { describe, expect, it } from "@jest/globals";
import { type FakePlayer, playground, started } from "../testing/harness.ts";

const names = (rows: { player: { name: string } }[]) => rows.map(row => row.player.name);

/** Adds players; returns how many healths were read, by tick. */
function countedReads(game: ReturnType<typeof playground>, players: number): Map<number, number> {
  const reads = new Map<number, number>();
  const get = (): number => {
    reads.set(game.state.tick, (reads.get(game.state.tick) ?? 0) + 1);
    return 20;
  };
  for (let i = 0; i < players; i++) Object.defineProperty(game.add(`Player ${i}`), "health", { get });
  return reads;
}

describe("snapshots", () => {
  it("[SESSION-8] come every refresh interval of wall time, even when ticks are slow", async () => {
    const game = await started();
    await game.tick(100);
    expect(game.sidecar.of("snapshot")).toHaveLength(2);
    game.state.tickMs = 2500;
    await game.tick(4);
    expect(game.sidecar.of("snapshot")).toHaveLength(4);
  });

  it("[FACT-9] read at most ten players a tick and contain all of them, in the order of the game", async () => {
    const game = playground();
    const reads = countedReads(game, 100);
    await game.start();
    expect(game.sidecar.of("snapshot")).toHaveLength(0);
    await game.tick(18);
    expect(game.sidecar.of("snapshot").map(part => part.rows.length)).toEqual([25, 25, 25, 25]);
    expect(names(game.sidecar.rows())).toEqual(game.players.map(({ name }) => name));
    expect(Math.max(...reads.values())).toBe(10);
    expect(reads.size).toBe(10);
  });

  it("leave out a player whose reads throw, and keep the rest", async () => {
    const game = playground();
    game.add("Steve");
    const broken = game.add("Broken", { broken: true });
    game.add("Alex");
    await game.start();
    expect(names(game.sidecar.rows())).toEqual(["Steve", "Alex"]);
    broken.broken = false;
    await game.tick(100);
    expect(names(game.sidecar.rows())).toEqual(["Steve", "Broken", "Alex"]);
  });

  it("include players who join, and not those who leave, while one is being read", async () => {
    const game = playground();
    for (let i = 0; i < 20; i++) game.add(`Player ${i}`);
    game.pack.begin();
    await game.tick(2);
    game.leave(game.players[0] as FakePlayer);
    game.leave(game.players[18] as FakePlayer);
    game.join("Late");
    await game.tick(4);
    expect(names(game.sidecar.rows())).toHaveLength(19);
    expect(names(game.sidecar.rows())).toContain("Late");
    expect(names(game.sidecar.rows())).not.toContain("Player 0");
  });

  it("rely on events when the game does not list its players", async () => {
    const game = playground();
    game.state.listThrows = true;
    await game.start();
    game.join("Steve");
    await game.tick(105);
    expect(names(game.sidecar.rows())).toEqual(["Steve"]);
  });

  it("[FACT-11] follow joins and leaves, each reported immediately", async () => {
    const game = await started();
    const steve = game.join("Steve");
    await game.tick();
    expect(game.sidecar.of("joined").map(fact => fact.row.player.name)).toEqual(["Steve"]);
    game.leave(steve);
    await game.tick();
    expect(game.sidecar.of("left")).toMatchObject([{ is: "left", id: steve.id }]);
  });
});

describe("counters", () => {
  it("survive a restart, and lose at most half a minute of playtime in a crash", async () => {
    const stored = new Map<string, unknown>();
    const first = playground(undefined, stored);
    const steve = first.add("Steve");
    await first.start();
    first.pack.died(steve.id, undefined);
    await first.tick(2000);
    const second = playground(undefined, stored);
    second.add("Steve");
    await second.start();
    const [row] = second.sidecar.rows();
    expect(row?.deaths).toBe(1);
    expect(row?.playtimeSeconds).toBeGreaterThan(70);
    expect(row?.playtimeSeconds).toBeLessThanOrEqual(100);
    second.pack.stop();
    const third = playground(undefined, stored);
    third.add("Steve");
    await third.start();
    expect(third.sidecar.rows()[0]?.playtimeSeconds).toBeGreaterThanOrEqual(row?.playtimeSeconds ?? 0);
  });

  it.each(["{", "7", '{"deaths":-1,"kills":0,"ticks":0}', '{"deaths":1}', 5, null])(
    "start at 0, with one line on the console, when %j is stored",
    async damaged => {
      const stored = new Map<string, unknown>([["web_bridge:player:p-Steve", damaged]]);
      const game = playground(undefined, stored);
      game.add("Steve");
      await game.start();
      await game.tick(100);
      expect(game.sidecar.rows()[0]).toMatchObject({ deaths: 0, playerKills: 0 });
      expect(game.lines.filter(line => line.includes("saved player stats are damaged"))).toHaveLength(1);
    },
  );
});
