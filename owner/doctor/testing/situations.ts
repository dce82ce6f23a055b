import { afterEach, beforeAll, expect, it } from "@jest/globals";
import { ADMIN_KEY } from "../../../test/helpers/sidecar.ts";
import { isProblem } from "../finding.ts";
import type { DoctorSystem } from "../target.ts";
import type { Fixture } from "./fixture.ts";
import { run } from "./run-fix.ts";

/** A situation, and what one check says in it. */
export interface Situation {
  what: string;
  id: string;
  /** state and words of a finding of that check, such as `note: it is`; undefined: it has none, or none with `lacks` */
  says?: string | RegExp;
  lacks?: string;
  /** in the words and the command of the fix */
  fix?: string | RegExp;
  /** what the words of the fix have done before its command; then the commands of fixes leave nothing wrong */
  first?(fixture: Fixture): void | Promise<void>;
  /** another configuration, with which the sidecar is started again */
  config?(text: string): string;
  /** another one than that with which the sidecar runs */
  newer?(text: string): string;
  prepare?(fixture: Fixture): void | Promise<void>;
  system?(fixture: Fixture): Partial<DoctorSystem>;
}

/** What one check says in a situation. */
export const situation = (id: string, what: string, rest: Omit<Situation, "id" | "what">): Situation => ({
  ...{ id, what },
  ...rest,
});

/** Tests the report of each situation; a problem is the only one. */
export function testSituations(fixture: Fixture, rows: readonly Situation[]): void {
  beforeAll(() => fixture.keep());
  afterEach(async () => {
    fixture.restore();
    await fixture.restartSidecar();
  });
  it.each(rows)("$what", row => testSituation(fixture, row));
}

async function testSituation(fixture: Fixture, row: Situation): Promise<void> {
  const { id, says, lacks = "", fix, config, newer } = row;
  if (config !== undefined) {
    fixture.edit(fixture.config, config);
    await fixture.restartSidecar();
  }
  if (newer !== undefined) fixture.edit(fixture.config, newer);
  await row.prepare?.(fixture);
  const system = row.system?.(fixture) ?? {};
  const findings = await fixture.doctor(system);
  expect(JSON.stringify(findings)).not.toContain(ADMIN_KEY);
  const found = findings.filter(each => each.id === id);
  const words = found.map(({ state, what }) => `${state}: ${what}`);
  if (says === undefined) expect(words.filter(each => each.includes(lacks))).toEqual([]);
  else if (typeof says === "string") expect(words).toContainEqual(expect.stringContaining(says));
  else expect(words).toContainEqual(expect.stringMatching(says));
  const problems = findings.filter(isProblem);
  expect([...new Set(problems.map(each => each.id))]).toEqual(found.some(isProblem) ? [id] : []);
  const all = problems.map(each => `${each.fix.text} ${each.fix.command}`).join("\n");
  if (fix !== undefined) expect(all).toMatch(fix);
  if (row.first === undefined) return;
  await row.first(fixture);
  for (let step = 0; step < 3; step++) {
    const [next] = await fixture.wrong(system);
    if (next !== undefined) await run(fixture, next.fix.command ?? "");
  }
  expect(await fixture.problems(system)).toEqual([]);
}
