import { describe, expect, it } from "@jest/globals";
import { PATHS } from "../../shared/frames.ts";
import { BANS_PER_FRAME } from "../../shared/limits.ts";
import { FakeSidecar } from "../testing/fake-sidecar.ts";
import { playground as playgroundWith, ref } from "../testing/harness.ts";
import { SidecarBans } from "../testing/sidecar-bans.ts";

const playground = (stored?: Map<string, unknown>) => {
  const sidecar = new FakeSidecar();
  sidecar.bans = new SidecarBans();
  return playgroundWith(sidecar, stored);
};
async function started() {
  const game = playground();
  await game.start();
  return game;
}

const HOUR = 60 * 60_000;

describe("a player who is banned", () => {
  it("[BAN-5] is rejected before they join, with the reason and the time left", async () => {
    const game = await started();
    const { now } = game.state;
    game.sidecar.bans?.decide({
      name: "Steve",
      persistentId: "P-STEVE",
      at: 1,
      reason: "spam",
      until: now + 26 * HOUR,
    });
    game.sidecar.act({ do: "bans" });
    await game.tick(5);
    expect(game.pack.refusal("Renamed", "p-steve")).toBe("Banned\nbecause spam\nfor 1 2 0");
    expect(game.pack.refusal("Steve", "p-another")).toBeUndefined();
    game.state.now = now + 26 * HOUR;
    expect(game.pack.refusal("Steve", "p-steve")).toBeUndefined();
  });

  it("[BAN-6] is kicked immediately, and nothing but their leave is reported", async () => {
    const game = await started();
    const steve = game.join("Steve", { locale: "de_DE" });
    game.join("Alex");
    await game.tick(2);
    game.state.kickTicks = 3;
    expect(game.pack.commands.ban(undefined, "sTEVE", "spam")).toEqual({ done: true, text: "Bans Steve" });
    game.pack.said("Steve", "too late", steve.id);
    game.pack.died("-Alex", steve.id);
    game.pack.died(steve.id, undefined);
    await game.tick(6);
    expect(game.kicked).toEqual([{ name: "Steve", reason: "Banned\nbecause spam" }]);
    expect(game.sidecar.of("left").map(({ id }) => id)).toEqual(["-Steve"]);
    expect(game.sidecar.of("said")).toEqual([]);
    expect(game.sidecar.of("died")).toMatchObject([{ player: { name: "Alex" } }]);
    expect(game.sidecar.of("died")[0]).not.toHaveProperty("killer");
  });

  it("[BAN-6] is kicked until they are gone if they get in, and none of their rows or messages are reported", async () => {
    const game = await started();
    game.pack.commands.ban(undefined, "Steve");
    await game.tick(8);
    game.state.kickTicks = undefined;
    const steve = game.join("Steve");
    game.pack.said("Steve", "hello", steve.id);
    await game.tick(150);
    const line = "could not kick a banned player (CannotKickPlayerError); retrying";
    expect(game.lines.filter(each => each === line)).toHaveLength(1);
    game.state.kickTicks = 0;
    await game.tick(25);
    expect(game.players).toEqual([]);
    expect(game.sidecar.facts.map(({ is }) => is).filter(is => is !== "snapshot")).toEqual([]);
    expect(game.sidecar.rows()).toEqual([]);
  });

  it("[BAN-7] by name is the first player with that name, and stays banned under another name", async () => {
    const game = await started();
    game.pack.commands.ban(undefined, "Steve", "a lot of spam");
    await game.tick(8);
    expect(game.pack.refusal("STEVE", "p-1")).toContain("spam");
    expect(game.pack.refusal("Steve", "p-2")).toBeUndefined();
    expect(game.pack.refusal("Renamed", "p-1")).toContain("spam");
    await game.tick(8);
    expect(game.sidecar.bans?.bans()).toMatchObject([
      { name: "Renamed", names: ["STEVE"], persistentId: "p-1", by: "game:Server" },
    ]);
    // Decided once, however often it is reported.
    expect(game.sidecar.bans?.audit).toHaveLength(1);
  });

  it("[BAN-7] by name is the same player for this server and for all servers", async () => {
    const game = await started();
    game.sidecar.bans?.decide({ name: "Steve", at: 1, everywhere: true });
    game.sidecar.bans?.decide({ name: "Steve", at: 1 });
    game.sidecar.act({ do: "bans" });
    await game.tick(8);
    expect(game.pack.refusal("Steve", "p-1")).toBe("Banned");
    expect(game.pack.refusal("Steve", "p-2")).toBeUndefined();
    await game.tick(8);
    expect(game.sidecar.bans?.bans().map(({ persistentId }) => persistentId)).toEqual(["p-1", "p-1"]);
  });

  it("[BAN-7] is recognised by name if the game has no persistent ids", async () => {
    const game = await started();
    game.pack.commands.ban(undefined, "Steve");
    expect(game.pack.refusal("Steve", "")).toBe("Banned");
    expect(game.pack.refusal("Steve", "")).toBe("Banned");
  });
});

describe("/bridge:ban and /bridge:unban", () => {
  it("[BAN-2] count as later than every known change, for any time of the game's clock", async () => {
    const game = await started();
    const at = game.state.now + HOUR;
    game.sidecar.bans?.decide({ name: "Steve", at });
    game.sidecar.bans?.decide({ name: "Steve", at, lifted: true });
    game.sidecar.act({ do: "bans" });
    await game.tick(8);
    game.pack.commands.ban(undefined, "Steve");
    await game.tick(8);
    expect(game.pack.refusal("Steve", "")).toBe("Banned");
    expect(game.sidecar.bans?.bans()).toMatchObject([{ name: "Steve", by: "game:Server" }]);
  });

  it("are counted by /bridge:status if there are any", async () => {
    const game = await started();
    expect(game.pack.commands.status(undefined).text).not.toContain("bans");
    game.sidecar.mode = "silent";
    game.pack.commands.ban(undefined, "Steve");
    expect(game.pack.commands.status(undefined).text).toContain("1 bans, 1 pending");
    game.pack.commands.unban(undefined, "Steve");
    expect(game.pack.commands.status(undefined).text).toContain("0 bans, 1 pending");
  });
});

describe("syncing bans", () => {
  it("[BAN-10] happens after each hello, after the action, and while there is more", async () => {
    const game = playground();
    for (let i = 0; i < 2 * BANS_PER_FRAME + 1; i++) game.sidecar.bans?.decide({ name: `n${i}`, at: 1 });
    await game.start();
    expect(game.sidecar.hellos[0]?.knows).toContain("bans");
    await game.tick(20);
    // One more request, to learn which list it is.
    expect(game.sidecar.bans?.requests).toBe(4);
    expect(game.pack.refusal(`n${2 * BANS_PER_FRAME}`, "")).toBeDefined();
    await game.tick(50);
    expect(game.sidecar.bans?.requests).toBe(4);
    game.sidecar.act({ do: "bans" });
    await game.tick(8);
    expect(game.sidecar.bans?.requests).toBe(5);
    game.sidecar.session = "s2";
    await game.tick(500);
    expect(game.sidecar.hellos).toHaveLength(2);
    expect(game.sidecar.bans?.requests).toBe(6);
  });

  it("[BAN-10] is skipped if the sidecar keeps no bans, and the world still stores them", async () => {
    const game = playground();
    game.sidecar.bans = undefined;
    await game.start();
    game.pack.commands.ban(undefined, "Steve");
    await game.tick(50);
    expect(game.pack.refusal("Steve", "p")).toBe("Banned");
    game.pack.stop();
    const next = playground(game.stored);
    await next.start();
    await next.tick(20);
    expect(next.pack.refusal("Steve", "p")).toBe("Banned");
    expect(next.sidecar.bans?.audit).toMatchObject([{ name: "Steve", by: "game:Server" }]);
  });

  it("[BAN-11] does not end the session when it fails, is logged once, and is retried", async () => {
    const game = await started();
    await game.tick(10);
    const { endpoint } = game.sidecar;
    const { post } = endpoint;
    endpoint.post = (path, body, seconds) =>
      path === PATHS.bans ? Promise.reject({ name: "UriNotAllowedError" }) : post(path, body, seconds);
    game.pack.commands.ban(undefined, "Steve");
    const before = game.sidecar.requests;
    await game.tick(20 * 60);
    expect(game.lines.filter(line => line.includes("allowed_uris"))).toHaveLength(1);
    expect(game.sidecar.hellos).toHaveLength(1);
    expect(game.sidecar.requests - before).toBeLessThan(40);
    expect(game.sidecar.of("snapshot").length).toBeGreaterThan(10);
    endpoint.post = post;
    await game.tick(400);
    expect(game.sidecar.bans?.bans()).toMatchObject([{ name: "Steve" }]);
  });

  it("[BAN-5] does not reject players on an internal error, which is logged once", async () => {
    const game = await started();
    game.pack.commands.ban(undefined, "Steve");
    expect(game.pack.refusal(undefined as never, "p")).toBeUndefined();
    expect(game.pack.refusal(undefined as never, "p")).toBeUndefined();
    expect(game.lines.filter(line => line.includes("checking whether a player is banned"))).toHaveLength(1);
  });

  it("[BAN-6] applies to online players once the world can be read", async () => {
    const game = playground();
    game.pack.begin();
    game.pack.commands.ban(undefined, "Steve");
    game.pack.stop();
    const { stored } = game;
    let broken = true;
    const get = stored.get.bind(stored);
    stored.get = key => {
      if (broken) throw new Error("not yet");
      return get(key);
    };
    const next = playground(stored);
    next.add("Steve");
    await next.start();
    expect(next.pack.commands.ban(undefined, "Other").done).toBe(false);
    expect(next.pack.refusal("Steve", "p")).toBeUndefined();
    broken = false;
    await next.tick(25);
    expect(next.kicked.map(({ name }) => name)).toEqual(["Steve"]);
  });
});

describe("names given to /bridge:ban and /bridge:unban", () => {
  const banned = (game: ReturnType<typeof playground>): unknown[] =>
    (game.sidecar.bans?.bans() ?? []).map(({ name, persistentId, reason }) => [name, persistentId, reason]);

  it.each([
    ["the whole name of an online player", ["Old", "Steve"], ["Old Steve", "P-1", undefined]],
    ["a name followed by a reason", ["old", "STEVE", "of", "spam"], ["Old Steve", "P-1", "of spam"]],
    ["the shorter name if nobody has the longer one", ["Old", "Alex"], ["Old", "p-Old", "Alex"]],
    ["a name in curly quotes", ["“Old", "Steve”", "spam"], ["Old Steve", "P-1", "spam"]],
    ["an unknown player in curly quotes", ["«New»"], ["New", undefined, undefined]],
    ["a name in quotes", ["Old", "with quotes"], ["Old", "p-Old", "with quotes"]],
    ["a player who has left", ["Gone", "Girl", "griefing"], ["Gone Girl", "P-GONE", "griefing"]],
    ["letters in another Unicode form", ["Ｏｌｄ", "Ｓｔｅｖｅ"], ["Old Steve", "P-1", undefined]],
    ["a different number of spaces", ["Old  Steve "], ["Old Steve", "P-1", undefined]],
    ["an unknown player, by the name alone", ["New", "x, y and z"], ["New", undefined, "x, y and z"]],
    ["an unknown player in quotes", ["New Name", "spam"], ["New Name", undefined, "spam"]],
    ["a name with a number", ["New#1234"], ["New#1234", undefined, undefined]],
  ])("mean %s", async (_, words, expected) => {
    const game = await started();
    game.join("Old");
    game.join("Old Steve", { persistentId: "P-1" });
    const gone = game.join("Gone Girl", { persistentId: "P-GONE" });
    await game.tick(2);
    game.leave(gone);
    await game.tick(2);
    expect(game.pack.commands.ban(undefined, ...words)).toEqual({ done: true, text: `Bans ${expected[0]}` });
    await game.tick(12);
    expect(banned(game)).toEqual([expected]);
    expect(game.pack.commands.unban(undefined, `${expected[0]}`).done).toBe(true);
    await game.tick(12);
    expect(banned(game)).toEqual([]);
  });

  it.each([
    [["Old", "Steve"], "No ban of Old Steve"],
    [["Old Steve"], "No ban of Old Steve"],
    [["Old", "spam"], "No ban of Old spam"],
    [["ＯＬＤ"], "Lifts Old"],
    [["two", "words"], "Lifts Two Words"],
    [["Two  Words "], "Lifts Two Words"],
    [["“Two", "Words”"], "Lifts Two Words"],
  ])("unban takes all words as the name: %j", async (words, text) => {
    const game = await started();
    game.join("Old Steve");
    for (const name of ["Old", "Two Words"]) game.pack.commands.ban(undefined, name);
    expect(game.pack.commands.unban(undefined, ...words).text).toBe(text);
  });

  it("ban nobody if no such player is known, and list the possible names", async () => {
    const game = await started();
    const text = 'Nobody is "Old Steve spam", "Old Steve", "Old": /bridge:ban "Old Steve spam"';
    expect(game.pack.commands.ban(undefined, "Old", "Steve", "spam")).toEqual({ done: false, text });
    for (const name of [
      "@a",
      "@s",
      "＠ａ",
      "no_name",
      "x".repeat(17),
      "§4Steve",
      "Steve#12345",
      "St\u200deve",
    ])
      expect(game.pack.commands.ban(undefined, name)).toEqual({ done: false, text: `Cannot ban ${name}` });
    expect(game.pack.commands.unban(undefined, "Old", "Steve").text).toBe("No ban of Old Steve");
    await game.tick(12);
    expect(banned(game)).toEqual([]);
  });

  it("bind a ban by name from the website to the player whom the world remembers", async () => {
    const game = await started();
    const shy = game.join("Shy One");
    await game.tick(2);
    game.sidecar.act({ do: "forget", player: ref(shy), counts: true });
    await game.tick(8);
    game.leave(shy);
    await game.tick(2);
    game.sidecar.bans?.decide({ name: "shy one", at: 1, everywhere: true });
    game.sidecar.act({ do: "bans" });
    await game.tick(12);
    expect(game.pack.refusal("Renamed", shy.persistentId)).toBe("Banned");
  });
});
