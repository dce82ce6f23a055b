import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { BREAKS, MODULE } from "./breaks.ts";
import { Fixture } from "./fixture.ts";
import { follow } from "./mends.ts";
import { TABLE } from "./table.ts";

const fixture = new Fixture();
beforeAll(async () => {
  await fixture.make();
  await fixture.setUp(
    `npm run setup -- --server "${fixture.server}" --config "${fixture.config}" --chest-form`,
  );
  await fixture.restartSidecar();
});
afterAll(() => fixture.remove());

it("has at least 120 breakages together with those written one by one, each with a name of its own", () => {
  expect(TABLE.length + BREAKS.length).toBeGreaterThanOrEqual(120);
  expect(new Set(TABLE.map(({ what }) => what)).size).toBe(TABLE.length);
});

it.each(TABLE)("names it ($id) when $what, and its advice mends that", async row => {
  const byHand = await row.break(fixture);
  const found = (await fixture.doctor()).flatMap(each => (each.state === "problem" ? [each] : []));
  expect(found.map(({ id }) => id)).toEqual([row.id]);
  expect(found[0]?.what).toContain(row.says);
  const told = JSON.stringify(found);
  for (const secret of [readFileSync(fixture.tokenFile, "utf8").trim(), ADMIN_KEY, "another-token"])
    expect(told).not.toContain(secret);
  if (byHand) byHand();
  else await follow(fixture, found[0]?.what ?? "", found[0]?.mend ?? "");
  expect(await fixture.problems()).toEqual([]);
});

it.each([
  ["server.properties"],
  ["allowlist.json"],
  [`config/${MODULE}/permissions.json`],
  [`config/${MODULE}/variables.json`],
  [`config/${MODULE}/secrets.json`],
  [join("worlds", "Bedrock level", "world_behavior_packs.json")],
])("has nothing against a mark of the byte order and line ends of Windows in %s", async name => {
  const path = fixture.path(name);
  const before = readFileSync(path, "utf8");
  writeFileSync(path, `\uFEFF${before.replace(/\r?\n/g, "\r\n")}`);
  expect(await fixture.problems()).toEqual([]);
  writeFileSync(path, before);
});
