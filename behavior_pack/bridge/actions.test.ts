import { describe, expect, it } from "@jest/globals";
import { ref, started } from "../testing/harness.ts";

const add = { do: "allowlist-add", name: "Alex" } as const;
const remove = { do: "allowlist-remove", name: "Alex" } as const;

describe("actions", () => {
  it("[ACT-5] [ACT-6] show web chat in order, spread over ticks, each message with its outcome", async () => {
    const { sidecar, broadcasts, tick } = await started();
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i}`);
    const ids = lines.map(text => sidecar.act({ do: "chat", text }));
    await tick();
    expect(broadcasts.length).toBeLessThanOrEqual(10);
    await tick(20);
    expect(broadcasts).toEqual(lines);
    expect(ids.every(id => sidecar.outcome(id)?.status === "done")).toBe(true);
  });

  it("[TIME-1] [TIME-2] expire if the answer came too late, counted from when the request was sent", async () => {
    const { sidecar, broadcasts, tick } = await started();
    await tick(100);
    const late = sidecar.act({ do: "chat", text: "late" }, 4900);
    const early = sidecar.act({ do: "chat", text: "early" }, 6000);
    await tick(3);
    expect(sidecar.outcome(late)?.status).toBe("expired");
    await tick(20);
    expect(sidecar.outcome(early)?.status).toBe("done");
    expect(broadcasts).toEqual(["early"]);
  });

  it("[ACT-6] send a text to one player, found by persistentId, unless they are offline", async () => {
    const game = await started();
    const steve = game.join("Steve");
    const tell = { do: "tell", message: "api.unlinked" } as const;
    expect(await game.act({ ...tell, player: { ...ref(steve), id: "old" } })).toMatchObject({
      status: "done",
    });
    const nobody = { id: "x", persistentId: "y", name: "Z" };
    expect(await game.act({ ...tell, player: nobody })).toMatchObject({ status: "offline" });
    expect(steve.messages).toEqual(["Unlinked"]);
  });

  it("[ACT-6] [ACT-14] name the action in each outcome, and fail on an error without affecting the next action", async () => {
    const { sidecar, state, join, tick } = await started();
    const steve = join("Steve");
    steve.broken = true;
    state.hideFor = 2;
    const ids = [
      sidecar.act({ do: "chat", text: "late" }, 0),
      sidecar.act({ do: "tell", player: ref(steve), message: "api.unlinked" }),
      sidecar.act(add),
      sidecar.act({ do: "link-close", request: "r" }),
    ];
    await tick(30);
    expect(ids.map(id => sidecar.outcome(id))).toMatchObject([
      { do: "chat", status: "expired" },
      { do: "tell", status: "failed" },
      { do: "allowlist-add", status: "done" },
      { do: "link-close", status: "done" },
    ]);
  });
});

describe("the allowlist", () => {
  it("[ACT-9] is reported in parts before the outcome", async () => {
    const game = await started();
    for (let i = 0; i < 450; i++) game.allowed.push(`Player ${i}`);
    const outcome = await game.act({ do: "allowlist-read" });
    const parts = game.sidecar.of("names").filter(({ id }) => id === outcome?.id);
    expect(parts.map(({ names }) => names.length)).toEqual([200, 200, 50]);
    expect(parts.flatMap(({ names }) => names)).toEqual(game.allowed);
    expect(outcome?.status).toBe("done");
  });

  it.each([
    ["[ACT-10] added", add, [], ["Alex"]],
    [
      "[ACT-12] removed, however many entries have it",
      remove,
      ["Alex", "alex", "Alex", "Al ex"],
      ["alex", "Al ex"],
    ],
  ] as const)("has a name %s, read back, without delaying other actions", async (_, body, before, after) => {
    const game = await started();
    game.allowed.push(...before);
    game.state.hideFor = 5;
    const id = game.sidecar.act(body);
    game.sidecar.act({ do: "chat", text: "after" });
    await game.tick(2);
    expect(game.broadcasts).toEqual(["after"]);
    expect(game.sidecar.outcome(id)).toBeUndefined();
    await game.tick(6);
    expect(game.sidecar.outcome(id)?.status).toBe("done");
    expect(game.allowed).toEqual(after);
    const again = await game.act(body);
    expect(again?.status).toBe(body === add ? "done" : "absent");
    expect(game.allowed).toEqual(after);
  });

  it("[ACT-10] has a name that is added again before the game lists it", async () => {
    const game = await started();
    game.state.hideFor = 5;
    game.state.addWorks = false;
    game.allowed.push("Alex");
    expect(await game.act(add, 30)).toMatchObject({ status: "done" });
  });

  it("[ACT-10] fails to add a name, with a reason, if the game never lists it", async () => {
    const game = await started();
    game.state.hideFor = 1000;
    expect(await game.act(add, 110)).toMatchObject({ status: "failed" });
    game.state.hideFor = 0;
    game.state.addWorks = false;
    const reason = "AllowListModificationError";
    expect(await game.act({ ...add, name: "Bob" }, 30)).toMatchObject({ status: "failed", reason });
  });
});
