import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { makeServer } from "../../scripts/make-server.mjs";
import { bench, freshBench } from "../../test/helpers/server-setup.ts";

freshBench();
let second: string;
beforeEach(async () => {
  second = join(bench.folder, "second server");
  await makeServer(second, { levelName: "Second" });
  await bench.setUp();
});

const notes = async (server = second): Promise<readonly string[]> =>
  (await bench.setUp({ server, dryRun: true })).plan.notes ?? [];
const warning = (): unknown => [
  expect.stringContaining(
    `${bench.config} is already the sidecar of another server, ${bench.server}, with the world ${bench.levelName}: each game server needs its own name: add --as second, or another name, or remove the add-on`,
  ),
];

describe("a second server for one sidecar", () => {
  it("causes a warning, before anything is changed and when nothing is left to change", async () => {
    expect(await notes()).toEqual(warning());
    await bench.setUp({ server: second });
    expect(bench.plan.notes).toEqual(warning());
    expect(await notes(bench.server)).toEqual([
      expect.stringContaining(`another server, ${second}, with the world Second: `),
    ]);
  });

  it("changes nothing for the server that was set up last, even if its world has another name", async () => {
    expect(await notes(bench.server)).toEqual([]);
    const properties = bench.path("server.properties");
    renameSync(join(bench.server, "worlds", bench.levelName), join(bench.server, "worlds", "Renamed"));
    writeFileSync(properties, bench.read(properties).replace(/level-name=.*/, "level-name=Renamed"));
    expect(await notes(bench.server)).toEqual([]);
  });

  it("is reported with every other one that has the sidecar's token, whichever was set up last", async () => {
    const third = join(bench.folder, "third server");
    await makeServer(third, { levelName: "Third" });
    for (const server of [second, third]) await bench.setUp({ server });
    expect(await notes(bench.server)).toEqual([
      expect.stringContaining(`another server, ${third}, with the world Third: `),
      expect.stringContaining(`another server, ${second}, with the world Second: `),
    ]);
    await bench.undo({ server: third });
    expect(await notes(bench.server)).toEqual([expect.stringContaining(`another server, ${second}, `)]);
    expect(await notes()).toEqual(warning());
  });

  it("is reported too where achievements are kept, unless it has a name of its own", async () => {
    const keep = { keepAchievements: true };
    await bench.setUp(keep);
    expect(await notes()).toEqual(warning());
    await bench.setUp({ server: second, ...keep });
    expect(bench.plan.notes).toEqual(warning());
    await bench.setUp({ server: second, as: "second" });
    // The token of the earlier pack is still in the folder of the first one.
    for (const server of [second, bench.server])
      expect((await notes(server)).filter(note => note.includes("another server"))).toEqual([]);
  });

  it("is recorded by a setup that has nothing to change, up to 64 servers", async () => {
    const note = join(bench.folder, "sidecar", "data", "server.json");
    const own = { server: bench.server, world: bench.levelName };
    const others = [...Array(64).keys()].map(n => ({
      server: join(bench.folder, `gone ${n}`),
      world: "Gone",
    }));
    writeFileSync(note, JSON.stringify({ servers: others }));
    await bench.setUp({ dryRun: true });
    expect(JSON.parse(readFileSync(note, "utf8"))).toEqual({ servers: others });
    expect((await bench.setUp()).end).toBe("nothing");
    expect(JSON.parse(readFileSync(note, "utf8"))).toEqual({ servers: [own, ...others.slice(0, 63)] });
    // What an earlier version has left.
    writeFileSync(note, JSON.stringify(own));
    expect(await notes()).toEqual(warning());
  });

  it("causes no warning once the first one has another sidecar, is undone, or is gone", async () => {
    await bench.undo();
    expect(await notes()).toEqual([]);
    await bench.setUp();
    expect(await notes()).toEqual(warning());
    rmSync(bench.server, { recursive: true });
    expect(await notes()).toEqual([]);
  });

  it("causes no warning if the record is damaged", async () => {
    const note = join(bench.folder, "sidecar", "data", "server.json");
    expect(JSON.parse(readFileSync(note, "utf8"))).toEqual({
      servers: [{ server: bench.server, world: bench.levelName }],
    });
    for (const text of ["{", "[]", '{"server":7}', '{"servers":7}', '{"servers":[7,{"server":7}]}']) {
      writeFileSync(note, text);
      expect(await notes()).toEqual([]);
    }
  });

  it("has its own sidecar with another configuration", async () => {
    const config = join(bench.folder, "second sidecar", "config.yml");
    await bench.setUp({ server: second, config });
    expect(bench.plan.notes).toEqual([expect.stringContaining("this one gets 8082 and 8083")]);
    expect(await notes(bench.server)).toEqual([]);
  });
});
