import { describe, expect, it } from "@jest/globals";
import { FakeSidecar } from "./fake-sidecar.ts";
import { away, linkOpen, withSteve } from "./harness.ts";

const KEY = "web_bridge:player:p-Steve";
const STEVE = { id: "-Steve", persistentId: "p-Steve", name: "Steve" };
/** Ticks in which what is chosen is told. */
const SECOND = 22;

/** A world whose sidecar is for several game servers, or for this one alone. */
async function world(stored?: Map<string, unknown>, areSeveral = true) {
  const sidecar = new FakeSidecar();
  sidecar.server = areSeveral ? "Big Lobby (lobby)" : undefined;
  const made = await withSteve(sidecar, stored);
  await made.game.tick(SECOND);
  return made;
}

/** What was told as chosen. */
const chosen = (sidecar: FakeSidecar) => sidecar.of("chose").map(({ is: _, ...told }) => told);
const rowOf = (sidecar: FakeSidecar, name = "Steve") =>
  sidecar.rows().find(({ player }) => player.name === name);
const choose = (blocked: boolean, hidden: boolean) =>
  ({ do: "choose", player: STEVE, blocked, hidden }) as const;

describe("a choice on one of several game servers", () => {
  it("[CHOICE-3] is told within a second, ahead of the row that goes by it", async () => {
    const { game, sidecar, steve, commands } = await world();
    expect(rowOf(sidecar)).toMatchObject({ blocked: false });
    commands.hide(steve);
    commands.block(steve);
    await game.tick(SECOND);
    expect(chosen(sidecar)).toEqual([{ player: STEVE, hidden: true, blocked: true }]);
    const last = sidecar.facts.slice(-2).map(({ is }) => is);
    expect(last).toEqual(["chose", "snapshot"]);
    await game.tick(120);
    expect(rowOf(sidecar)).toMatchObject({ hidden: true, blocked: true });
    commands.show(steve);
    await game.tick(SECOND);
    expect(chosen(sidecar).at(-1)).toEqual({ player: STEVE, hidden: false });
    expect(chosen(sidecar)).toHaveLength(2);
    commands.unblock(steve);
    await game.tick(SECOND);
    expect(chosen(sidecar).slice(2)).toEqual([{ player: STEVE, blocked: false }]);
  });

  it("[CHOICE-3] is told with the next visit where the script has ended before, and once", async () => {
    const { game, steve, commands } = await world();
    await away(game);
    commands.hide(steve);
    await game.tick(3);
    game.pack.stop();
    expect(game.stored.get(KEY)).toContain('"untold":["hidden"]');
    const next = await world(game.stored);
    await next.game.tick(120);
    expect(chosen(next.sidecar)).toEqual([{ player: STEVE, hidden: true }]);
    expect(game.stored.get(KEY)).not.toContain("untold");
    expect(game.stored.get(KEY)).toContain('"hidden":true');
    const third = await world(game.stored);
    await third.game.tick(120);
    expect(chosen(third.sidecar)).toEqual([]);
    expect(rowOf(third.sidecar)).toMatchObject({ hidden: true, blocked: false });
  });

  it("[CHOICE-1] is told nobody where there is one game server, and nothing more is stored of it", async () => {
    const { game, sidecar, steve, commands } = await world(new Map(), false);
    commands.hide(steve);
    commands.block(steve);
    await game.tick(200);
    expect(chosen(sidecar)).toEqual([]);
    expect(rowOf(sidecar)).not.toHaveProperty("blocked");
    game.pack.stop();
    expect(game.stored.get(KEY)).not.toContain("untold");
  });
});

describe("what a player has chosen on another game server", () => {
  it("[CHOICE-7] counts as if it were chosen here, and is not told back", async () => {
    const { game, sidecar, steve, commands } = await world();
    sidecar.act(linkOpen("r1"));
    await game.tick(30);
    expect(steve.forms).toHaveLength(1);
    const done = sidecar.act(choose(true, true));
    await game.tick(SECOND);
    expect(sidecar.outcome(done)).toEqual({ is: "outcome", id: done, do: "choose", status: "done" });
    expect(sidecar.of("answered")).toEqual([{ is: "answered", request: "r1", accepted: false }]);
    expect(rowOf(sidecar)).toMatchObject({ hidden: true, blocked: true });
    expect(steve.heard).toEqual([]);
    game.leave(steve);
    await game.tick(3);
    expect(JSON.parse(String(game.stored.get(KEY)))).toMatchObject({ hidden: true, blocked: true });
    game.pack.joined(game.add("Steve"));
    await game.tick(SECOND);
    sidecar.act(choose(false, false));
    await game.tick(SECOND);
    expect(rowOf(sidecar)).not.toHaveProperty("hidden");
    expect(rowOf(sidecar)).toMatchObject({ blocked: false });
    expect(chosen(sidecar)).toEqual([]);
    expect(commands.hide(game.players[0])).toMatchObject({ done: true });
  });

  it("[CHOICE-7] takes nothing back that was chosen here and is not told yet", async () => {
    const { game, sidecar, steve, commands } = await world();
    commands.hide(steve);
    await game.tick(3);
    commands.show(steve);
    sidecar.act(choose(true, true));
    await game.tick(3);
    expect(chosen(sidecar)).toEqual([{ player: STEVE, hidden: true }]);
    await game.tick(120);
    expect(chosen(sidecar).slice(1)).toEqual([{ player: STEVE, hidden: false }]);
    expect(rowOf(sidecar)).not.toHaveProperty("hidden");
    expect(rowOf(sidecar)).toMatchObject({ blocked: true });
  });
});

describe("/bridge:status", () => {
  it("[CHOICE-1] names the game server where there are several, while it is connected", async () => {
    const { game, sidecar, commands } = await world();
    expect(commands.status(undefined).text?.split("\n").at(-1)).toBe("Server Big Lobby (lobby)");
    await away(game);
    expect(commands.status(undefined).text).not.toContain("Server");
    sidecar.server = undefined;
    sidecar.mode = "ok";
    await game.tick(100);
    expect(commands.status(undefined).text).not.toContain("Server");
  });
});
