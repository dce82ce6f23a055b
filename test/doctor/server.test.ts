import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createServerFolderSimulator } from "../../lab/simulator/server-folder.ts";
import { setProperties } from "../../owner/bds/properties.ts";
import type { Finding } from "../../owner/doctor/finding.ts";
import { treeOf } from "../helpers/server-setup.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { BREAKS } from "./breaks.ts";
import { Fixture } from "./fixture.ts";
import { follow } from "./mends.ts";

const fixture = new Fixture();
beforeAll(async () => {
  await fixture.make();
  await fixture.setUp(
    `npm run setup -- --server "${fixture.server}" --config "${fixture.config}" --chest-form`,
  );
  await fixture.restartSidecar();
});
afterAll(() => fixture.remove());

const problemsIn = (findings: readonly Finding[]) =>
  findings.flatMap(each => (each.state === "problem" ? [each] : []));
async function started(): Promise<boolean> {
  const { simulator, started: pack } = await createServerFolderSimulator(fixture.server);
  simulator.dispose();
  return pack !== undefined;
}

it.each(BREAKS)("names it ($id) when $what, and its advice mends that", async one => {
  expect(problemsIn(await fixture.doctor())).toEqual([]);
  const byHand = await one.break(fixture);
  const findings = await fixture.doctor();
  const found = problemsIn(findings);
  expect(found.map(({ id }) => id)).toEqual([one.id]);
  expect(found[0]?.mend).not.toBe("");
  const told = JSON.stringify(findings);
  for (const secret of [readFileSync(fixture.tokenFile, "utf8").trim(), ADMIN_KEY, "another-token"])
    expect(told).not.toContain(secret);
  if (one.stops) expect(await started().catch(() => false)).toBe(false);
  if (byHand) byHand();
  else await follow(fixture, found[0]?.what ?? "", found[0]?.mend ?? "");
  expect(problemsIn(await fixture.doctor())).toEqual([]);
});

it("runs the pack in the end", async () => {
  expect(await started()).toBe(true);
});

it("gives every finding an id of its own, and changes nothing", async () => {
  const before = treeOf(fixture.folder);
  const ids = (await fixture.doctor()).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(treeOf(fixture.folder)).toEqual(before);
});

it("notes a console that shows troubles alone", async () => {
  const path = fixture.path("server.properties");
  const before = readFileSync(path, "utf8");
  writeFileSync(path, setProperties(before, { "content-log-level": "warning" }));
  const found = (await fixture.doctor()).find(({ id }) => id === "content-log");
  expect(found).toMatchObject({ state: "note", what: expect.stringContaining("that it has connected") });
  writeFileSync(path, before);
});
