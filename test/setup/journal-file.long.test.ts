import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { stateOf } from "../../owner/setup/change.ts";
import { type Journal, readJournalValue } from "../../owner/setup/journal-file.ts";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { others as bench, freshOthers, IS_ROOT, OWNER } from "../helpers/others-server.ts";
import { needs } from "../helpers/runner.ts";

freshOthers();

const FILE = "web-bridge-setup/journal.json";

function edit(change: (journal: Journal) => unknown): void {
  const journal: Journal = JSON.parse(bench.read(bench.path(FILE)));
  writeFileSync(bench.path(FILE), JSON.stringify(change(journal)));
}

/** An entry that would put what the server's owner has written in the place of a file. */
function forged(path: string, file: string, kind: "json" | "yaml" = "json"): Journal["entries"][number] {
  const bytes = Buffer.from("log.level: debug\n");
  writeFileSync(bench.path(`web-bridge-setup/kept/${stateOf(bytes)}`), bytes);
  const after = [stateOf(readFileSync(file))];
  return { path, kind, before: { state: stateOf(bytes), mode: 0o666 }, after };
}

describe.each([
  ["the folder of another user", OWNER.uid],
  ["a folder of its own", 0],
])("a forged journal in %s", (_name, uid) => {
  needs("root", IS_ROOT).all(() =>
    it.each([
      ["an absolute path", () => forged(bench.secret, bench.secret)],
      ["a path with ..", () => forged("../root's own/secret", bench.secret)],
      ["a path with .. in its midst", () => forged("config/../../root's own/secret", bench.secret)],
      [
        "a file to be removed",
        () => ({ ...forged(bench.secret, bench.secret), before: { state: "gone", mode: 0o644 } }),
      ],
    ])("with %s is refused by setup and by undo", async (_what, entry) => {
      await bench.open(uid);
      await bench.setUp();
      edit(journal => ({ ...journal, entries: [...journal.entries, entry()] }));
      const before = bench.rootsOwn();
      bench.buildPack([0, 2, 0]);
      for (const run of [() => bench.undo({ dryRun: true }), () => bench.undo(), () => bench.setUp()])
        await expect(run()).rejects.toThrow(
          /journal.json: .*secret: expected a path that lies in .*: delete /,
        );
      expect(bench.rootsOwn()).toEqual(before);
    }),
  );

  needs("root", IS_ROOT).it("with folders outside is refused", async () => {
    await bench.open(uid);
    await bench.setUp();
    const before = bench.rootsOwn();
    const whole = bench.read(bench.path(FILE));
    for (const path of [join(bench.outside, "empty"), "../root's own/empty"])
      for (const more of [{ folders: [path] }, { removed: [{ path, mode: 0o777 }] }]) {
        edit(journal => ({ ...journal, ...more }));
        await expect(bench.undo()).rejects.toThrow(/empty: expected a path that lies in/);
        writeFileSync(bench.path(FILE), whole);
      }
    expect(bench.rootsOwn()).toEqual(before);
  });

  needs("root", IS_ROOT).it("changes no configuration by what it has kept of it", async () => {
    await bench.open(uid);
    await bench.setUp();
    edit(journal => ({
      ...journal,
      entries: [...journal.entries, forged(bench.config, bench.config, "yaml")],
    }));
    expect((await bench.undo()).end).toBe("done");
    expect(bench.read(bench.config)).toBe(defaultConfigFile());
  });

  needs("root", IS_ROOT).it("changes no other file that it calls one", async () => {
    await bench.open(uid);
    await bench.setUp();
    const before = bench.rootsOwn();
    edit(journal => ({
      ...journal,
      entries: [...journal.entries, forged(bench.secret, bench.secret, "yaml")],
    }));
    expect((await bench.undo()).end).toBe("done");
    expect(bench.rootsOwn()).toEqual(before);
  });
});

describe("a damaged journal", () => {
  const WHOLE = { version: 1, entries: [], folders: [], removed: [], undone: false };
  const OUTSIDE = { path: "x", kind: "json", before: { state: "../../x", mode: 420 }, after: [] };
  const fault = "expected what setup has written there";

  it.each<[string, ...unknown[]]>([
    ["entries", [null], [OUTSIDE]],
    ["folders", null, [7]],
    ["removed", [{ path: "x" }]],
    ["bridgeUrl", 7, "file:///etc", "http://a b", "https://sidecar.example/"],
    ["filled", 7, { "server.info.port": true }],
    ["undone", undefined],
  ])("is refused by the name of its part, %s", (key, ...values) => {
    expect(readJournalValue("/srv", WHOLE)).toHaveProperty("value");
    for (const value of values)
      expect(readJournalValue("/srv", { ...WHOLE, [key]: value })).toEqual({ fault: `${key}: ${fault}` });
  });

  it.each([
    ["[]", /journal.json: expected what setup has written there: delete .* to go on without undo/],
    ['{"version":2}', /was written by another version of setup: use that version$/],
  ])("%s is refused by undo", async (text, why) => {
    await bench.make();
    await bench.setUp();
    writeFileSync(bench.path(FILE), text);
    await expect(bench.undo()).rejects.toThrow(why);
  });
});
