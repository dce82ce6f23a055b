import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { setProperties } from "../../bds/properties.ts";
import { levelDat } from "../../scripts/make-server.mjs";
import { bench, freshBench, treeOf } from "../../test/helpers/server-setup.ts";

freshBench();

/** `level-name` is mistyped, and the game has made an empty world of that name. */
async function mistype(): Promise<void> {
  const properties = bench.path("server.properties");
  writeFileSync(properties, setProperties(bench.read(properties), { "level-name": "Mistyped" }));
  mkdirSync(bench.path("worlds/Mistyped"));
  writeFileSync(bench.path("worlds/Mistyped/level.dat"), await levelDat("off"));
}
const note = () =>
  expect.stringContaining(
    `worlds/${bench.levelName} has the add-on already, and level-name in ${bench.path("server.properties")} is Mistyped: if you play`,
  );

describe("a world without the add-on beside one that has it", () => {
  it("causes a question before anything is changed, and nothing changes after a no", async () => {
    await bench.setUp();
    await mistype();
    const before = treeOf(bench.folder);
    bench.isPlayed = false;
    expect((await bench.setUp()).end).toBe("declined");
    expect(bench.otherWorlds).toEqual([bench.levelName]);
    expect(treeOf(bench.folder)).toEqual(before);
  });

  it("is in the plan, and set up after a yes; later runs ask nothing", async () => {
    await bench.setUp();
    expect(bench.otherWorlds).toEqual([]);
    await mistype();
    expect((await bench.setUp({ dryRun: true })).plan.notes).toContainEqual(note());
    expect(await bench.setUp()).toMatchObject({ end: "done", plan: { notes: [note()] } });
    bench.otherWorlds = [];
    bench.buildPack([0, 2, 0]);
    expect((await bench.setUp()).end).toBe("done");
    expect([bench.otherWorlds, bench.plan.notes]).toEqual([[], []]);
  });

  it("is set up beside a world behind a link", async () => {
    mkdirSync(join(bench.folder, "elsewhere"));
    symlinkSync(join(bench.folder, "elsewhere"), bench.path("worlds/Linked"));
    expect((await bench.setUp()).end).toBe("done");
  });

  it("causes no question if the other world has only other packs, or an unreadable list", async () => {
    await mistype();
    const other = join(bench.server, "worlds", "Third");
    cpSync(bench.world(""), other, { recursive: true });
    writeFileSync(join(other, "world_behavior_packs.json"), "{ not JSON");
    expect((await bench.setUp()).end).toBe("done");
    expect(bench.otherWorlds).toEqual([]);
    rmSync(other, { recursive: true });
  });
});
