import { describe, expect, it } from "@jest/globals";
import { PATHS } from "../../shared/frames.ts";
import { started } from "../testing/harness.ts";

const kickSteve = { do: "kick", name: "Steve" } as const;

describe("kick", () => {
  it("[ACT-15] [ACT-16] kicks the player with exactly this name and the reason, and is done once they have left", async () => {
    const game = await started("Steve", "steve", 'Al "ex"');
    expect(game.sidecar.hellos[0]?.knows).toContain("kick");
    game.state.kickTicks = 5;
    const [one, other] = [
      game.sidecar.act({ ...kickSteve, reason: "spam" }),
      game.sidecar.act({ do: "kick", name: 'Al "ex"' }),
    ];
    game.sidecar.act({ do: "chat", text: "after" });
    await game.tick(3);
    expect(game.broadcasts).toEqual(["after"]);
    expect(game.kicked).toEqual([
      { name: "Steve", reason: "spam" },
      { name: 'Al "ex"', reason: undefined },
    ]);
    expect(game.sidecar.outcome(one)).toBeUndefined();
    await game.tick(5);
    expect([one, other].map(id => game.sidecar.outcome(id)?.status)).toEqual(["done", "done"]);
    expect(game.players.map(({ name }) => name)).toEqual(["steve"]);
  });

  it("[ACT-15] happens once for simultaneous requests, and is offline afterwards", async () => {
    const game = await started("Steve");
    game.state.kickTicks = 5;
    const ids = [1, 2].map(() => game.sidecar.act(kickSteve));
    await game.tick(12);
    expect(game.kicked).toHaveLength(1);
    expect(ids.map(id => game.sidecar.outcome(id)?.status)).toEqual(["done", "done"]);
    expect(await game.act(kickSteve, 8)).toMatchObject({ status: "offline" });
  });

  it("[ACT-15] is done when repeated before the sidecar has the outcome", async () => {
    const game = await started("Steve");
    game.sidecar.act(kickSteve);
    const { endpoint } = game.sidecar;
    const { post } = endpoint;
    endpoint.post = (path, body, seconds) =>
      path === PATHS.facts ? Promise.reject({ name: "Lost" }) : post(path, body, seconds);
    await game.tick(2);
    expect(game.kicked).toHaveLength(1);
    const again = game.sidecar.act(kickSteve);
    await game.tick(4);
    endpoint.post = post;
    await game.tick(400);
    expect(game.sidecar.outcome(again)?.status).toBe("done");
  });

  it.each([true, false])(
    "[ACT-15] reports the leave before its outcome, reported by the game: %s",
    async reportsKicks => {
      const game = await started("Steve");
      game.state.reportsKicks = reportsKicks;
      await game.act(kickSteve);
      expect(game.sidecar.facts.filter(({ is }) => is === "left" || is === "outcome")).toMatchObject([
        { is: "left", id: "-Steve" },
        { is: "outcome", status: "done" },
      ]);
    },
  );

  it("[ACT-15] finds a player without an event, and is offline if nobody has the name", async () => {
    const game = await started();
    game.add("Steve");
    expect(await game.act(kickSteve)).toMatchObject({ status: "done" });
    expect(await game.act({ ...kickSteve, name: "Alex" })).toMatchObject({ status: "offline" });
  });

  it("[ACT-15] fails with the game's error if the player stays", async () => {
    const game = await started("Steve");
    game.state.kickTicks = undefined;
    expect(await game.act(kickSteve, 30)).toMatchObject({
      status: "failed",
      reason: "CannotKickPlayerError",
    });
    game.state.kickTicks = 1_000;
    const ignored = game.sidecar.act(kickSteve);
    await game.tick(95);
    expect(game.sidecar.outcome(ignored)).toBeUndefined();
    await game.tick(15);
    const reason = "the player is still online";
    expect(game.sidecar.outcome(ignored)).toMatchObject({ status: "failed", reason });
  });
});
