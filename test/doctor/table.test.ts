import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createServerFolderSimulator } from "../../lab/simulator/server-folder.ts";
import { setProperties } from "../../owner/bds/properties.ts";
import { isProblem } from "../../owner/doctor/finding.ts";
import { levelDat, openedWith } from "../../scripts/make-server.mjs";
import { treeOf } from "../helpers/server-setup.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { MODULE } from "./breaks.ts";
import { Fixture } from "./fixture.ts";
import { follow, keep } from "./mends.ts";
import { TABLE } from "./table.ts";

const fixture = new Fixture();
beforeAll(async () => {
  await fixture.make();
  await fixture.setUp(fixture.command("--chest-form"));
  await fixture.restartSidecar();
  fixture.around = { ...fixture.around, fetch: remembering(fixture.around.fetch) };
});
/** The sidecar stays as it is: each of its answers is fetched once. Without their date they do not age. */
function remembering(ask: typeof fetch): typeof fetch {
  const answers = new Map<string, Promise<[string, number]>>();
  const first = async (...asked: Parameters<typeof fetch>): Promise<[string, number]> => {
    const answer = await ask(...asked);
    return [await answer.text(), answer.status];
  };
  return async (url, init) => {
    const key = JSON.stringify([String(url), init?.headers]);
    const answer = answers.get(key) ?? first(url, init);
    answers.set(key, answer);
    const [text, status] = await answer;
    return new Response(text, { status });
  };
}
afterAll(() => fixture.remove());

async function started(): Promise<boolean> {
  const { simulator, started: pack } = await createServerFolderSimulator(fixture.server);
  simulator.dispose();
  return pack !== undefined;
}

it("has at least 200 breakages, each with a name of its own", () => {
  expect(TABLE.length).toBeGreaterThanOrEqual(200);
  expect(new Set(TABLE.map(({ what }) => what)).size).toBe(TABLE.length);
});

/** Of each finding the first way that leads to it. */
const FIRST = TABLE.filter(({ id }, place) => place === TABLE.findIndex(row => row.id === id));
const NAME = "names it ($id) when $what, and its advice mends that";

async function isNamed(row: (typeof TABLE)[number]): Promise<void> {
  const level = join(fixture.world, "level.dat");
  const asItWas = keep(level);
  if (row.game !== undefined) writeFileSync(level, await levelDat("on", openedWith(row.game)));
  const byHand = await row.break(fixture);
  const findings = await fixture.doctor();
  const found = findings.filter(isProblem);
  expect(found.map(({ id }) => id)).toEqual([row.id]);
  expect(found[0]?.what).toContain(row.says);
  const told = JSON.stringify(findings);
  for (const secret of [readFileSync(fixture.tokenFile, "utf8").trim(), ADMIN_KEY, "another-token"])
    expect(told).not.toContain(secret);
  if (row.stops) expect(await started().catch(() => false)).toBe(false);
  if (byHand) byHand();
  else await follow(fixture, found[0]?.what ?? "", found[0]?.mend ?? "");
  expect(await fixture.problems()).toEqual([]);
  if (row.game !== undefined) asItWas();
}

it.each(FIRST)(NAME, isNamed);

describe("at length", () => {
  it.each(TABLE.filter(row => !FIRST.includes(row)))(NAME, isNamed);
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
  const back = keep(path);
  fixture.edit(path, text => setProperties(text, { "content-log-level": "warning" }));
  const found = await fixture.find("content-log");
  expect(found).toMatchObject({ state: "note", what: expect.stringContaining("that it has connected") });
  back();
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
