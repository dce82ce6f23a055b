import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "@jest/globals";
import { Int32 } from "nbtify";
import { quoted } from "../../cli/commands.ts";
import { systemDisk } from "../../owner/setup/disk.ts";
import { setUp } from "../../owner/setup/setup.ts";
import { planLines } from "../../owner/setup/show.ts";
import { levelDat } from "../../scripts/make-server.mjs";
import { Fixture } from "./fixture.ts";
import { keep } from "./mends.ts";

const fixture = new Fixture();
const back: (() => void)[] = [];
beforeAll(async () => {
  await fixture.make();
  await fixture.setUp();
});
afterEach(async () => {
  for (const put of back.splice(0).reverse()) put();
  expect(await fixture.problems()).toEqual([]);
});
afterAll(() => fixture.remove());

/** The finding, and what setup says of the same. */
async function told(): Promise<{ state: string; what: string; setup: string[] }> {
  const { state = "", what = "" } = (await fixture.find("game-version")) ?? {};
  const { packs, signs } = fixture.around;
  const options = { server: fixture.server, config: fixture.config, bridgeUrl: undefined, chestForm: false };
  const around = { disk: systemDisk, signs, env: {}, packs, isTaken: async () => false };
  const { plan } = await setUp({ ...options, dryRun: true }, around, async () => false);
  return { state, what, setup: planLines(plan) };
}
function program(name: string): void {
  const [was, is] = [fixture.path("bedrock_server"), fixture.path(name)];
  renameSync(was, is);
  back.push(() => renameSync(is, was));
}
function vanilla(version: string | undefined): void {
  const [was, held] = [fixture.path("behavior_packs/vanilla_1.26.40"), fixture.path("held")];
  renameSync(was, held);
  const is = fixture.path(`behavior_packs/vanilla_${version}`);
  if (version !== undefined) mkdirSync(is);
  back.push(() => {
    rmSync(is, { recursive: true, force: true });
    renameSync(held, was);
  });
}
async function opened(...numbers: number[]): Promise<void> {
  back.push(keep(fixture.world, "level.dat"));
  const lastOpenedWithVersion = numbers.map(number => new Int32(number));
  writeFileSync(join(fixture.world, "level.dat"), await levelDat("on", { lastOpenedWithVersion }));
}

it("is told by the world that it has opened last", async () => {
  expect(await told()).toEqual({
    state: "ok",
    what: "the game is 1.26.60.6, by its world, which it has opened last",
    setup: [],
  });
});

it("is told by the name of its program, before everything else", async () => {
  program("bedrock_server-1.26.40.5");
  expect(await told()).toEqual({
    state: "ok",
    what: "the game is 1.26.40.5, by the name of bedrock_server-1.26.40.5",
    setup: [],
  });
});

it("is told by the newest vanilla pack of a world that was never opened, as numbers and not as words", async () => {
  await opened();
  vanilla("1.26.100");
  mkdirSync(fixture.path("behavior_packs/vanilla_1.26.41"));
  back.push(() => rmSync(fixture.path("behavior_packs/vanilla_1.26.41"), { recursive: true }));
  expect((await told()).what).toMatch(/^the game is 1\.26\.100, by its newest vanilla pack/);
});

it("is named when it is older than the pack needs, and setup says so too", async () => {
  program("bedrock_server-1.26.30.5.exe");
  const what =
    "the game is 1.26.30.5, by the name of bedrock_server-1.26.30.5.exe, and the pack needs 1.26.40 or later";
  expect(await told()).toEqual({
    state: "problem",
    what,
    setup: [`note: ${what}: update the game before you start it (docs/after-an-update.md)`],
  });
});

it("is named when its world and its packs are those of an older one", async () => {
  await opened(1, 26, 30, 5, 0);
  vanilla("1.26.30");
  expect(await told()).toMatchObject({
    state: "problem",
    what: "the game is 1.26.30.5, by its world, which it has opened last, and the pack needs 1.26.40 or later",
  });
});

it("is no problem where only a pack that an earlier game may have left says that it is older", async () => {
  await opened();
  vanilla("1.26.30");
  expect(await told()).toMatchObject({ state: "note", what: expect.stringContaining("update the game") });
});

it("gets a note when it is newer than what was tested", async () => {
  await opened(1, 26, 70, 2, 0);
  const what =
    "the game is 1.26.70.2, by its world, which it has opened last, newer than 1.26.60, the newest that this build was tested with: when the pack does not start, see docs/after-an-update.md";
  expect(await told()).toEqual({ state: "note", what, setup: [`note: ${what}`] });
  expect(existsSync(join(import.meta.dirname, "../../docs/after-an-update.md"))).toBe(true);
});

it("is as good as the tested one where it is a fix of that", async () => {
  await opened(1, 26, 66, 1, 0);
  expect(await told()).toEqual({
    state: "ok",
    what: "the game is 1.26.66.1, by its world, which it has opened last",
    setup: [],
  });
});

it("is not known where nothing tells it", async () => {
  await opened();
  vanilla(undefined);
  expect(await told()).toEqual({
    state: "skipped",
    what: "version of the game: nothing in the server's folder tells it",
    setup: [],
  });
});

it("is told in a note when nobody has proved it, with the command that does, and only where the pack runs on it", async () => {
  const notes = async (): Promise<unknown[]> =>
    (await fixture.doctor()).filter(({ id }) => id === "proved").map(({ state, what }) => [state, what]);
  program("bedrock_server-1.26.69.99");
  expect((await fixture.doctor()).at(-1)?.id).toBe("proved");
  const { programs } = fixture.around;
  const command = `${programs.prove} --server ${quoted(fixture.server)}`;
  const none = "not yet tested on a real server with game 1.26.69.99";
  expect(await notes()).toEqual([
    ["note", `${none}: ${command} tries a copy in three minutes (docs/after-an-update.md)`],
  ]);
  back.pop()?.();
  program("bedrock_server-1.26.30.5");
  expect(await notes()).toEqual([]);
});
