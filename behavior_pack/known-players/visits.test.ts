import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { FakeSidecar } from "../testing/fake-sidecar.ts";
import { STEVE_KEY as KEY, playground, Unreadable } from "../testing/harness.ts";

type Game = ReturnType<typeof playground>;

/** A world with snapshots twice a second, in which the named players were online before the script. */
async function startWorld(
  stored = new Map<string, unknown>(),
  names: readonly string[] = [],
  now?: number,
): Promise<Game> {
  const sidecar = new FakeSidecar();
  sidecar.refreshMs = 500;
  const game = playground(sidecar, stored);
  game.state.now = now ?? game.state.now;
  for (const name of names) game.add(name);
  await game.start();
  return game;
}

/** The script ends without notice, as by /reload or a crash, and starts again a second later. */
async function reload({ stored, players, state }: Game): Promise<Game> {
  const names = players.map(({ name }) => name);
  const game = await startWorld(stored, names, state.now + 1000);
  await game.tick(12);
  return game;
}

const rowOf = (game: Game, name?: string) => game.rowOf(name, 12);
const since = async (game: Game): Promise<number | undefined> => (await rowOf(game))?.since;

describe("the start of a visit", () => {
  it("[KNOWN-1] is reported in every row, does not change, and is new with each join", async () => {
    const game = await startWorld();
    const steve = game.join("Steve");
    const first = game.state.now;
    await game.tick(200);
    expect(game.sidecar.of("joined")[0]?.row.since).toBe(first);
    expect(await since(game)).toBe(first);
    game.leave(steve);
    await game.tick(2);
    expect(game.sidecar.of("left")[0]?.row?.since).toBe(first);
    game.join("Steve");
    const second = game.state.now;
    expect(second).toBeGreaterThan(first);
    expect(await since(game)).toBe(second);
  });

  it("[KNOWN-1] is left out while the world cannot be read, and unchanged afterwards", async () => {
    const stored = new Unreadable([[KEY, '{"deaths":3,"kills":1,"ticks":40,"since":1600000000000}']]);
    const game = await startWorld(stored, ["Steve"]);
    game.join("Alex");
    expect(await since(game)).toBeUndefined();
    expect((await rowOf(game, "Alex"))?.since).toBeUndefined();
    const joined = game.state.now;
    stored.failing = false;
    await game.tick(22);
    expect(await rowOf(game)).toMatchObject({ since: 1_600_000_000_000, deaths: 3 });
    expect((await rowOf(game, "Alex"))?.since).toBeLessThan(joined);
  });
});

describe("a player who leaves", () => {
  it("[KNOWN-2] is reported with a row that includes everything since the last snapshot", async () => {
    const sidecar = new FakeSidecar();
    const game = playground(sidecar);
    await game.start();
    const [steve, alex] = [game.join("Steve"), game.join("Alex")];
    await game.tick(60);
    steve.health = 7;
    game.pack.commands.hide(steve);
    await game.tick(22);
    for (let i = 0; i < 2; i++) game.pack.died(alex.id, steve.id);
    game.pack.died(steve.id, undefined);
    await game.tick(40);
    steve.broken = true;
    game.leave(steve);
    await game.tick(2);
    const [left] = sidecar.of("left");
    expect(left?.row).toMatchObject({
      ...{ player: { id: steve.id, persistentId: "p-Steve", name: "Steve" }, health: 7, hidden: true },
      ...{ deaths: 1, playerKills: 2, playtimeSeconds: 6 },
    });
    expect(sidecar.rows().find(({ player }) => player.name === "Steve")).toMatchObject({ deaths: 0 });
  });

  it("[KNOWN-2] is reported without a row if they could never be read, or are unknown", async () => {
    const game = await startWorld();
    const steve = game.add("Steve");
    Object.defineProperty(steve, "health", {
      get: () => {
        throw new Error("gone");
      },
    });
    game.pack.joined(steve);
    await game.tick(20);
    game.leave(steve);
    game.pack.left("-Nobody");
    await game.tick(2);
    expect(game.sidecar.of("left")).toEqual([
      { is: "left", id: "-Steve" },
      { is: "left", id: "-Nobody" },
    ]);
  });
});

describe("visits and figures", () => {
  type Step = "join" | "leave" | "reload" | "die" | "forget" | "wait";
  const steps = fc.array(fc.constantFrom<Step>("join", "leave", "reload", "die", "forget", "wait"), {
    maxLength: 14,
  });

  it("[KNOWN-1] [KNOWN-3] match a simple model, for any events in any order", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async all => {
        let game = await startWorld();
        const record = { visits: 0, deaths: 0, counts: true };
        const reported = new Set<number>();
        for (const step of all) {
          const [steve] = game.players;
          if (step === "join" && !steve) {
            game.join("Steve");
            record.visits++;
            record.counts = true;
          } else if (step === "leave" && steve) game.leave(steve);
          else if (step === "reload") game = await reload(game);
          else if (step === "die" && steve) {
            game.pack.died(steve.id, undefined);
            if (record.counts) record.deaths++;
          } else if (step === "forget" && steve) {
            game.pack.commands.forget(steve);
            await game.tick(2);
            steve.forms.at(-1)?.ended("accepted");
            Object.assign(record, { deaths: 0, counts: false });
          }
          const row = await rowOf(game);
          if (game.players.length === 0) continue;
          reported.add(row?.since ?? 0);
          expect([reported.size, row?.deaths]).toEqual([record.visits, record.deaths]);
          if (!record.counts) expect([row?.playtimeSeconds, row?.playerKills]).toEqual([0, 0]);
        }
      }),
      { numRuns: 60 },
    );
  });
});
