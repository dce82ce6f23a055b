import { describe, expect, it } from "@jest/globals";
import { PATHS } from "../../shared/frames.ts";
import { started } from "./harness.ts";

describe("kick", () => {
  it("[ACT-16] is known to a pack by what it says in its hello", async () => {
    const game = await started();
    expect(game.sidecar.hellos[0]?.knows).toContain("kick");
  });

  it("[ACT-15] sends away the player of exactly this name, with the reason, and is done once they are gone", async () => {
    const game = await started();
    for (const name of ["Steve", "steve", 'Al "ex"']) game.join(name);
    await game.tick(2);
    game.state.kickTicks = 5;
    const [one, other] = [
      game.sidecar.act({ do: "kick", name: "Steve", reason: "spam" }),
      game.sidecar.act({ do: "kick", name: 'Al "ex"' }),
    ];
    game.sidecar.act({ do: "chat", text: "after" });
    await game.tick(3);
    expect(game.shown).toEqual(["after"]);
    expect(game.kicked).toEqual([
      { name: "Steve", reason: "spam" },
      { name: 'Al "ex"', reason: undefined },
    ]);
    expect(game.sidecar.outcome(one)).toBeUndefined();
    await game.tick(5);
    expect([one, other].map(id => game.sidecar.outcome(id)?.status)).toEqual(["done", "done"]);
    expect(game.players.map(({ name }) => name)).toEqual(["steve"]);
  });

  it("[ACT-15] is done once for all who ask while it goes on, and offline afterwards", async () => {
    const game = await started("Steve");
    game.state.kickTicks = 5;
    const ids = [1, 2].map(() => game.sidecar.act({ do: "kick", name: "Steve" }));
    await game.tick(12);
    expect(game.kicked).toHaveLength(1);
    const later = game.sidecar.act({ do: "kick", name: "Steve" });
    await game.tick(8);
    expect([...ids, later].map(id => game.sidecar.outcome(id)?.status)).toEqual(["done", "done", "offline"]);
  });

  it("[ACT-15] is done, too, where the sidecar has not heard of the one before", async () => {
    const game = await started("Steve");
    game.sidecar.act({ do: "kick", name: "Steve" });
    const { endpoint } = game.sidecar;
    const { post } = endpoint;
    const rest = (path: string, body: string, seconds: number) =>
      path === PATHS.facts ? Promise.reject({ name: "Lost" }) : post(path, body, seconds);
    endpoint.post = rest;
    await game.tick(2);
    expect(game.kicked).toHaveLength(1);
    const again = game.sidecar.act({ do: "kick", name: "Steve" });
    await game.tick(4);
    endpoint.post = post;
    await game.tick(400);
    expect(game.sidecar.outcome(again)?.status).toBe("done");
  });

  it.each([true, false])(
    "[ACT-15] tells of the leaving before it, told of by the game: %s",
    async kickTells => {
      const game = await started("Steve");
      game.state.kickTells = kickTells;
      game.sidecar.act({ do: "kick", name: "Steve" });
      await game.tick(3);
      const told = game.sidecar.facts.flatMap(fact =>
        fact.is === "left" || fact.is === "outcome" ? fact : [],
      );
      expect(told).toMatchObject([
        { is: "left", id: "-Steve" },
        { is: "outcome", status: "done" },
      ]);
    },
  );

  it("[ACT-15] finds a player of whom no event has told, and is offline where nobody has the name", async () => {
    const game = await started();
    game.add("Steve");
    const ids = ["Steve", "Alex"].map(name => game.sidecar.act({ do: "kick", name }));
    await game.tick(3);
    expect(ids.map(id => game.sidecar.outcome(id)?.status)).toEqual(["done", "offline"]);
  });

  it("[ACT-15] has failed where the player stays, and says what the game said", async () => {
    const game = await started("Steve");
    game.state.kickTicks = undefined;
    const refused = game.sidecar.act({ do: "kick", name: "Steve" });
    await game.tick(30);
    expect(game.sidecar.outcome(refused)).toMatchObject({
      status: "failed",
      reason: "CannotKickPlayerError",
    });
    game.state.kickTicks = 1_000;
    const ignored = game.sidecar.act({ do: "kick", name: "Steve" });
    await game.tick(95);
    expect(game.sidecar.outcome(ignored)).toBeUndefined();
    await game.tick(15);
    expect(game.sidecar.outcome(ignored)).toMatchObject({
      status: "failed",
      reason: "the player is still there",
    });
  });
});
