import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { treeOf } from "../../test/helpers/server-setup.ts";
import { BREAKAGES, FIRST_BREAKAGES, starts, testBreakages } from "./testing/breakages.ts";
import { LEVEL, MODULE } from "./testing/fixture.ts";

const fixture = testBreakages(FIRST_BREAKAGES);

it("has breakages with unique names", () => {
  expect(new Set(BREAKAGES.map(({ what }) => what)).size).toBe(BREAKAGES.length);
});

it("finds no problem in a correct setup, changes nothing, and recommends prove last", async () => {
  const before = treeOf(fixture.folder);
  const findings = await fixture.doctor();
  expect(findings.filter(({ state }) => state === "problem")).toEqual([]);
  expect(findings.at(-1)).toEqual({
    id: "prove",
    state: "note",
    what: `to test the add-on with this version of the game on a copy of your server, run: npm run prove -- --server "${fixture.server}"`,
  });
  expect(treeOf(fixture.folder)).toEqual(before);
  expect(await starts(fixture.server)).toBe(true);
});

it.each([
  "server.properties",
  "allowlist.json",
  `config/${MODULE}/permissions.json`,
  `config/${MODULE}/variables.json`,
  `config/${MODULE}/secrets.json`,
  join("worlds", LEVEL, "world_behavior_packs.json"),
])("accepts a byte order mark and Windows line ends in %s", async name => {
  const path = fixture.path(name);
  writeFileSync(path, `\uFEFF${readFileSync(path, "utf8").replace(/\r?\n/g, "\r\n")}`);
  expect(await fixture.problems()).toEqual([]);
});
