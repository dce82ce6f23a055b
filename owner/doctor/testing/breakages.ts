import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, it } from "@jest/globals";
import { setProperties } from "../../../bds/properties.ts";
import { createServerFolderSimulator } from "../../../lab/simulator/server-folder.ts";
import { levelDat, openedWith } from "../../../scripts/make-server.mjs";
import { ADMIN_KEY } from "../../../test/helpers/sidecar.ts";
import { isProblem } from "../finding.ts";
import type { Breakage } from "./breakage.ts";
import { FILE_BREAKAGES } from "./file-breakages.ts";
import { type Fixture, fixtureWithSetup } from "./fixture.ts";
import { NETWORK_BREAKAGES } from "./network-breakages.ts";
import { run } from "./run-fix.ts";
import { SERVER_BREAKAGES } from "./server-breakages.ts";
import { VALUE_BREAKAGES } from "./value-breakages.ts";

export const BREAKAGES: readonly Breakage[] = [
  ...SERVER_BREAKAGES,
  ...FILE_BREAKAGES,
  ...VALUE_BREAKAGES,
  ...NETWORK_BREAKAGES,
];

/** Of each check the first breakage. */
export const FIRST_BREAKAGES = BREAKAGES.filter(
  ({ id }, place) => place === BREAKAGES.findIndex(row => row.id === id),
);

export async function starts(server: string): Promise<boolean> {
  const { simulator, started } = await createServerFolderSimulator(server);
  simulator.dispose();
  return started !== undefined;
}

/** The sidecar stays as it is: each of its answers is fetched once. Without their date they do not age. */
function remembering(ask: typeof fetch): typeof fetch {
  const answers = new Map<string, Promise<[string, number]>>();
  const first = async (...args: Parameters<typeof fetch>): Promise<[string, number]> => {
    const answer = await ask(...args);
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

/** Tests that each of these breakages is found by one check, and that its fix leaves nothing wrong. */
export function testBreakages(rows: readonly Breakage[]): Fixture {
  const fixture = fixtureWithSetup("--chest-form");
  beforeAll(() => {
    fixture.system = { ...fixture.system, fetch: remembering(fixture.system.fetch) };
    fixture.keep();
  });
  afterEach(() => fixture.restore());
  it.each(rows)("$id finds it when $what, and its fix is right", row => testBreakage(fixture, row));
  return fixture;
}

async function testBreakage(fixture: Fixture, row: Breakage): Promise<void> {
  const { id, says, first, set, byHand, game } = row;
  if (game !== undefined)
    writeFileSync(join(fixture.world, "level.dat"), await levelDat("on", openedWith(game)));
  await row.break(fixture);
  const findings = await fixture.doctor();
  const found = findings.filter(isProblem);
  expect(found.map(problem => problem.id)).toEqual([id]);
  expect(found[0]?.what).toContain(says);
  for (const secret of [readFileSync(fixture.tokenFile, "utf8").trim(), ADMIN_KEY, "another-token"])
    expect(JSON.stringify(findings)).not.toContain(secret);
  if (row.stops) expect(await starts(fixture.server).catch(() => false)).toBe(false);
  const { text, command } = found[0]?.fix ?? {};
  if (byHand) return expect([text, command]).toEqual([expect.stringMatching(/./), undefined]);
  if (row.command !== undefined) return expect(command).toBe(row.command);
  if (set !== undefined) {
    const path = fixture.path("server.properties");
    expect([text, command]).toEqual([expect.stringContaining(`set ${set} in ${path}`), undefined]);
    const [key = "", value = ""] = set.split(/=(.*)/);
    fixture.edit(path, before => setProperties(before, { [key]: value }));
  }
  first?.(fixture);
  // What one fix has uncovered is fixed next.
  for (let step = 0; step < 2; step++) {
    const [next] = await fixture.wrong();
    if (next !== undefined) await run(fixture, next.fix.command ?? "");
  }
  expect(await fixture.problems()).toEqual([]);
}
