import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { bench, freshBench, treeOf } from "../../test/helpers/server-setup.ts";
import type { Options } from "./options.ts";
import { LAYOUT_NAMES, makeLayout } from "./testing/server-layouts.mjs";

const backup = { now: () => 1_800_000_000_000, freeBytes: () => undefined, report: () => undefined };

/** What an owner asks for, one run after the other, before all of it is taken back. */
const WAYS: [what: string, runs: Partial<Options>[]][] = [
  ["as it comes", [{}]],
  ["with the chest", [{ chestForm: true }]],
  ["with the chest and back", [{}, { chestForm: true }, { chestForm: false }]],
  ["with another address and back", [{ bridgeUrl: "https://a.example/b" }, {}, { bridgeUrl: "default" }]],
  ["with all of it, twice", [{ chestForm: true, bridgeUrl: "http://10.0.0.1:8081", backup }, {}]],
];

/** Name, kind, mode and owner, and the hash of each file, of everything in a folder. */
function stateOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(treeOf(folder)).map(([name, what]) => {
      const { uid, gid } = lstatSync(join(folder, name));
      return [name, `${what} ${uid}:${gid}`];
    }),
  );
}

freshBench("not made");
beforeEach(() => {
  bench.buildPack([0, 1, 0]);
  bench.buildResourcePack();
});

describe.each(LAYOUT_NAMES)("setup on %s", layout => {
  it.each(WAYS)("%s, is taken back to the same bytes, modes and owners", async (_what, runs) => {
    bench.levelName = await makeLayout(bench.server, layout);
    const before = stateOf(bench.server);
    for (const options of runs) {
      await bench.setUp(options);
      const { backup: _, ...again } = options;
      expect((await bench.setUp(again)).end).toBe("nothing");
    }
    expect((await bench.undo()).end).toBe("done");
    if (runs.some(options => options.backup)) rmSync(bench.path("backups"), { recursive: true });
    expect(stateOf(bench.server)).toEqual(before);
    expect((await bench.undo()).end).toBe("nothing");
  });

  it("keeps each file's line ends, byte order mark and other entries", async () => {
    bench.levelName = await makeLayout(bench.server, layout);
    const texts = (): [string, string][] =>
      readdirSync(bench.server, { recursive: true, encoding: "utf8" })
        .filter(name => /\.(json|properties)$/.test(name) && !name.startsWith("web-bridge-setup"))
        .map(name => [name, readFileSync(bench.path(name), "utf8")]);
    const before = new Map(texts());
    await bench.setUp({ chestForm: true });
    for (const [name, text] of texts()) {
      const was = before.get(name);
      if (was === undefined) continue;
      const isWindows = was.includes("\r\n") && !/[^\r]\n/.test(was);
      if (isWindows) expect([name, /[^\r]\n/.test(text)]).toEqual([name, false]);
      expect([name, text.startsWith("\uFEFF")]).toEqual([name, was.startsWith("\uFEFF")]);
      for (const [id] of was.matchAll(/"pack_id"[^}]*\}/g)) expect(text).toContain(id);
    }
  });
});
