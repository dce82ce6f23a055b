import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { Int32 } from "nbtify";
import { levelDat } from "../../scripts/make-server.mjs";
import { type Fixture, fixtureWithSetup } from "./testing/fixture.ts";
import { type Situation, situation, testSituations } from "./testing/situations.ts";

const fixture = fixtureWithSetup();

const program = (name: string) => (from: Fixture) => renameSync(from.path("bedrock_server"), from.path(name));
/** The world was opened last by that game; by none: never. */
async function opened(from: Fixture, ...numbers: number[]): Promise<void> {
  const lastOpenedWithVersion = numbers.map(number => new Int32(number));
  writeFileSync(join(from.world, "level.dat"), await levelDat("on", { lastOpenedWithVersion }));
}
/** The only vanilla packs are those of these versions. */
function vanilla(from: Fixture, ...versions: string[]): void {
  rmSync(from.path("behavior_packs/vanilla_1.26.40"), { recursive: true });
  for (const version of versions) mkdirSync(from.path(`behavior_packs/vanilla_${version}`));
}

const version = (what: string, rest: Parameters<typeof situation>[2]): Situation =>
  situation("game-version", what, rest);

testSituations(fixture, [
  version("the world that it opened last shows it", {
    says: "ok: the game is 1.26.60.6, the version that last opened its world",
  }),
  version("the name of its program takes precedence", {
    prepare: program("bedrock_server-1.26.40.5"),
    says: "ok: the game is 1.26.40.5, by the name of bedrock_server-1.26.40.5",
  }),
  version("the newest vanilla pack shows it if the world was never opened, compared by number", {
    prepare: async from => {
      await opened(from);
      vanilla(from, "1.26.41", "1.26.100");
    },
    says: "note: the game is 1.26.100, by its newest vanilla pack, newer than 1.26.60",
  }),
  version("it is named when it is older than the add-on needs", {
    prepare: program("bedrock_server-1.26.30.5.exe"),
    says: "problem: the game is 1.26.30.5, by the name of bedrock_server-1.26.30.5.exe, and the add-on needs 1.26.40 or later",
    fix: "update the game; if you just have, start it once and stop it (docs/after-an-update.md)",
  }),
  version("it is no problem where only a pack that an earlier game may have left says that it is older", {
    prepare: async from => {
      await opened(from);
      vanilla(from, "1.26.30");
    },
    says: "if the game is not newer than that, update it",
  }),
  version("it is noted when it is newer than what was tested", {
    prepare: from => opened(from, 1, 26, 70, 2, 0),
    says: "note: the game is 1.26.70.2, the version that last opened its world, newer than 1.26.60, the newest that this build was tested with: if the add-on does not start, see docs/after-an-update.md",
  }),
  version("nothing shows it", {
    prepare: async from => {
      await opened(from);
      vanilla(from);
    },
    says: "skipped: version of the game: nothing in the server's folder shows it",
  }),
]);

const WORLD = "worlds/Played/world_behavior_packs.json";
const withOther = (from: Fixture): void =>
  cpSync(from.world, from.path("worlds/Played"), { recursive: true });

testSituations(fixture, [
  situation("world", "another world that has the add-on is named, since level-name may be mistyped", {
    prepare: withOther,
    says: /^note: worlds\/Played has the add-on too: if that is the world that you play, level-name is wrong: set level-name=Played in .*server\.properties$/,
  }),
  situation("world", "another world without the add-on is not", {
    prepare: from => {
      withOther(from);
      writeFileSync(from.path(WORLD), "[]");
    },
    lacks: "worlds/Played",
  }),
]);

it("accepts other module versions, which setup keeps until an option changes them", async () => {
  const noted = async () => (await fixture.doctor()).find(({ what }) => what.includes("--module-versions"));
  expect(await noted()).toBeUndefined();
  fixture.edit(fixture.path("behavior_packs/web_bridge/manifest.json"), text =>
    text.replace(/"beta"(\s*\}\s*\])/, '"1.0.0-beta"$1').replace(/\n/g, "\r\n"),
  );
  expect(await fixture.problems()).toEqual([]);
  const back = fixture.command("--module-versions beta");
  expect(await noted()).toEqual({
    ...{ id: "pack", state: "note" },
    what: `manifest.json in behavior_packs/web_bridge requires @minecraft/server-admin 1.0.0-beta instead of beta: right for a game that rejects beta (docs/after-an-update.md); setup keeps it; to go back: ${back}`,
  });
  await fixture.setUp();
  expect(await noted()).toBeDefined();
  await fixture.setUp(back);
  expect([await noted(), await fixture.problems()]).toEqual([undefined, []]);
});
