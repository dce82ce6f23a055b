import { describe, expect, it } from "@jest/globals";
import { ref, started } from "./harness.ts";

describe("actions", () => {
  it("[ACT-5] [ACT-6] shows web chat in order, spread over ticks, each line with its outcome", async () => {
    const game = await started();
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i}`);
    const ids = lines.map(text => game.sidecar.act({ do: "chat", text }));
    await game.tick();
    expect(game.shown.length).toBeLessThanOrEqual(10);
    await game.tick(20);
    expect(game.shown).toEqual(lines);
    expect(ids.every(id => game.sidecar.outcome(id)?.status === "done")).toBe(true);
  });

  it("[TIME-1] [TIME-2] refuses an action whose answer came too late, counted from the sending of the request", async () => {
    const game = await started();
    await game.tick(100);
    const late = game.sidecar.act({ do: "chat", text: "late" }, 4900);
    const early = game.sidecar.act({ do: "chat", text: "early" }, 6000);
    await game.tick(3);
    expect(game.sidecar.outcome(late)?.status).toBe("expired");
    await game.tick(20);
    expect(game.sidecar.outcome(early)?.status).toBe("done");
    expect(game.shown).toEqual(["early"]);
  });

  it("[ACT-6] tells one player, found by persistentId, and says when nobody is there", async () => {
    const game = await started();
    const steve = game.join("Steve");
    const moved = game.sidecar.act({
      do: "tell",
      player: { ...ref(steve), id: "old" },
      message: "api.unlinked",
    });
    const gone = game.sidecar.act({
      do: "tell",
      player: { id: "x", persistentId: "y", name: "Z" },
      message: "api.unlinked",
    });
    await game.tick(3);
    expect(steve.heard).toEqual(["Unlinked"]);
    expect(game.sidecar.outcome(moved)?.status).toBe("done");
    expect(game.sidecar.outcome(gone)?.status).toBe("offline");
  });

  it("[ACT-6] turns a throw into the outcome failed, and goes on", async () => {
    const game = await started();
    const steve = game.join("Steve");
    steve.broken = true;
    const bad = game.sidecar.act({ do: "tell", player: ref(steve), message: "api.unlinked" });
    const good = game.sidecar.act({ do: "chat", text: "after" });
    await game.tick(3);
    expect(game.sidecar.outcome(bad)?.status).toBe("failed");
    expect(game.sidecar.outcome(good)?.status).toBe("done");
  });

  it("[ACT-14] says of each outcome what it is of, however it came to it", async () => {
    const game = await started();
    const steve = game.join("Steve");
    steve.broken = true;
    game.state.hideFor = 2;
    const ids = [
      game.sidecar.act({ do: "chat", text: "late" }, 0),
      game.sidecar.act({ do: "tell", player: ref(steve), message: "api.unlinked" }),
      game.sidecar.act({ do: "allowlist-add", name: "Alex" }),
      game.sidecar.act({ do: "link-close", request: "r" }),
    ];
    await game.tick(30);
    expect(ids.map(id => game.sidecar.outcome(id))).toMatchObject([
      { do: "chat", status: "expired" },
      { do: "tell", status: "failed" },
      { do: "allowlist-add", status: "done" },
      { do: "link-close", status: "done" },
    ]);
  });

  it("[ACT-9] reports the allowlist in parts before the outcome", async () => {
    const game = await started();
    for (let i = 0; i < 450; i++) game.allowed.push(`Player ${i}`);
    const id = game.sidecar.act({ do: "allowlist-read" });
    await game.tick(3);
    const parts = game.sidecar.of("names").filter(fact => fact.id === id);
    expect(parts.map(part => part.names.length)).toEqual([200, 200, 50]);
    expect(parts.flatMap(part => part.names)).toEqual(game.allowed);
    expect(game.sidecar.outcome(id)?.status).toBe("done");
  });

  it("[ACT-10] is done adding only once the list was read and holds the name, and holds up nobody meanwhile", async () => {
    const game = await started();
    game.state.hideFor = 5;
    const id = game.sidecar.act({ do: "allowlist-add", name: "Alex" });
    game.sidecar.act({ do: "chat", text: "after" });
    await game.tick(2);
    expect(game.shown).toEqual(["after"]);
    expect(game.sidecar.outcome(id)).toBeUndefined();
    await game.tick(5);
    expect(game.sidecar.outcome(id)?.status).toBe("done");
    expect(game.allowed).toEqual(["Alex"]);
  });

  it("[ACT-10] fails to add with a reason when the list never holds the name", async () => {
    const game = await started();
    game.state.hideFor = 1000;
    const silent = game.sidecar.act({ do: "allowlist-add", name: "Alex" });
    await game.tick(110);
    expect(game.sidecar.outcome(silent)).toMatchObject({ status: "failed" });
    game.state.hideFor = 0;
    game.state.addWorks = false;
    const loud = game.sidecar.act({ do: "allowlist-add", name: "Bob" });
    await game.tick(30);
    expect(game.sidecar.outcome(loud)).toMatchObject({
      status: "failed",
      reason: "AllowListModificationError",
    });
  });

  it("[ACT-12] is done removing once the list was read without the name, however many entries had it", async () => {
    const game = await started();
    game.allowed.push("Alex", "alex", "Alex", "Al ex");
    game.state.hideFor = 5;
    const id = game.sidecar.act({ do: "allowlist-remove", name: "Alex" });
    game.sidecar.act({ do: "chat", text: "after" });
    await game.tick(3);
    expect(game.shown).toEqual(["after"]);
    expect(game.sidecar.outcome(id)).toBeUndefined();
    await game.tick(5);
    expect(game.sidecar.outcome(id)?.status).toBe("done");
    expect(game.allowed).toEqual(["alex", "Al ex"]);
    const again = game.sidecar.act({ do: "allowlist-remove", name: "Alex" });
    await game.tick(3);
    expect(game.sidecar.outcome(again)?.status).toBe("absent");
  });

  it("adds nobody who is on the list already", async () => {
    const game = await started();
    game.allowed.push("Alex");
    const id = game.sidecar.act({ do: "allowlist-add", name: "Alex" });
    await game.tick(3);
    expect(game.allowed).toEqual(["Alex"]);
    expect(game.sidecar.outcome(id)?.status).toBe("done");
  });
});
