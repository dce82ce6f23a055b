import { describe, expect, it } from "@jest/globals";
import { type FakePlayer, FakeSidecar, playground as playgroundWith } from "./harness.ts";
import { SidecarBans } from "./sidecar-bans.ts";

const playground = (sidecar = new FakeSidecar(), stored?: Map<string, unknown>) => {
  sidecar.bans = new SidecarBans();
  return playgroundWith(sidecar, stored);
};

/** Another game server has had the player forgotten. */
async function forgotten(game: ReturnType<typeof playground>, player: FakePlayer): Promise<void> {
  const { id, persistentId, name } = player;
  game.sidecar.act({ do: "forget", player: { id, persistentId, name }, counts: true });
  await game.tick(8);
}

describe("/bridge:ban and /bridge:unban", () => {
  const banned = (game: ReturnType<typeof playground>): unknown[] =>
    (game.sidecar.bans?.bans() ?? []).map(({ name, persistentId, reason }) => [name, persistentId, reason]);

  it.each([
    ["the whole name of who is online", ["Old", "Steve"], ["Old Steve", "P-1", undefined]],
    ["with a reason behind it", ["old", "STEVE", "of", "spam"], ["Old Steve", "P-1", "of spam"]],
    ["the shorter one where nobody has the longer", ["Old", "Alex"], ["Old", "p-Old", "Alex"]],
    ["a name in curly quotes", ["“Old", "Steve”", "spam"], ["Old Steve", "P-1", "spam"]],
    ["nobody who was here, in curly quotes", ["«New»"], ["New", undefined, undefined]],
    ["a name in quotes", ["Old", "with quotes"], ["Old", "p-Old", "with quotes"]],
    ["who was here", ["Gone", "Girl", "griefing"], ["Gone Girl", "P-GONE", "griefing"]],
    ["letters of another form", ["Ｏｌｄ", "Ｓｔｅｖｅ"], ["Old Steve", "P-1", undefined]],
    ["blanks of another number", ["Old  Steve "], ["Old Steve", "P-1", undefined]],
    ["nobody who was here, by the name alone", ["New", "x, y and z"], ["New", undefined, "x, y and z"]],
    ["nobody who was here, in quotes", ["New Name", "spam"], ["New Name", undefined, "spam"]],
    ["a name with a number", ["New#1234"], ["New#1234", undefined, undefined]],
  ])("mean %s", async (_, words, expected) => {
    const game = playground();
    await game.start();
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
  ])("of which the latter means all words: %j", async (words, text) => {
    const game = playground();
    await game.start();
    game.join("Old Steve");
    for (const name of ["Old", "Two Words"]) game.pack.commands.ban(undefined, name);
    expect(game.pack.commands.unban(undefined, ...words).text).toBe(text);
  });

  it("ban nobody where nobody of the name is known, and say what was meant", async () => {
    const game = playground();
    await game.start();
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

  it("are about a player whom the world remembers where a ban by name comes from the web", async () => {
    const game = playground();
    await game.start();
    const shy = game.join("Shy One");
    await game.tick(2);
    await forgotten(game, shy);
    game.leave(shy);
    await game.tick(2);
    game.sidecar.bans?.decide({ name: "shy one", at: 1, everywhere: true });
    game.sidecar.act({ do: "bans" });
    await game.tick(12);
    expect(game.pack.refusal("Renamed", shy.persistentId)).toBe("Banned");
  });
});
