import { afterAll, describe, expect, it } from "@jest/globals";
import { FIDELITY, fidelityLines } from "../../lab/proofs/fidelity.ts";
import { OWN } from "../../owner/prove/own.ts";
import type { Run, Seen } from "../../owner/prove/probe.ts";
import { probes } from "../../owner/prove/probes/all.ts";
import { text } from "../docs/pages.ts";
import { ADMIN_KEY, TOKEN } from "../helpers/sidecar.ts";
import { MemoryTrial } from "./memory-trial.ts";

/** What the made-up game has not, or does otherwise than a real one is assumed to: what the probe then says. */
const OTHERWISE: Record<string, string> = {
  "start-transport-error": "skipped: this server says nothing of its transport",
  "engine-clock": "broken: whole, stands still within a tick, with __date_clock",
  "chat-me": "skipped: the command fails: Error",
  "chat-tell": "skipped: the command fails: Error",
};

const trials = new Map<Run, Promise<MemoryTrial>>();
const trialOf = (run: Run): Promise<MemoryTrial> => {
  const made = trials.get(run) ?? MemoryTrial.start(run);
  trials.set(run, made);
  return made;
};
afterAll(async () => {
  for (const trial of trials.values()) await (await trial).stop();
});

/** What a report may not hold: addresses, keys, folders and names of players. */
const SECRETS = new RegExp(
  ["https?://", "127\\.0\\.0\\.1", "localhost:\\d", ADMIN_KEY, TOKEN, "\\bProve[A-Z ]", "/tmp/"].join("|"),
);

const told = (seen: Seen): string => `${seen.state}: ${seen.state === "skipped" ? seen.why : seen.seen}`;

describe("a game as it is assumed", () => {
  const asked = probes.filter(({ run }) => run === "plain" || run === "probes");

  it.each(asked.map(probe => [probe.id, probe] as const))("is seen as it is by %s", async (id, probe) => {
    const trial = await trialOf(probe.run);
    const seen = told(await trial.ask(probe));
    if (OTHERWISE[id] === undefined) expect(seen).toMatch(/^held: ./);
    else expect(seen).toBe(OTHERWISE[id]);
    expect(seen).not.toMatch(SECRETS);
  });
});

describe("the table of probes", () => {
  it("names rows of FIDELITY.md that are there", () => {
    const rows = fidelityLines(text(FIDELITY));
    const wrong = probes.flatMap(({ id, rows: named }) =>
      named.filter(row => !rows.has(row)).map(row => `${id}: ${row}`),
    );
    expect(wrong).toEqual([]);
  });

  it("has at least sixty probes, each with an id of its own", () => {
    const ids = probes.map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(60);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it("says of each whether it is a promise, and of those that broke a promise for nothing that they are none", () => {
    const none = ["form-shown", "engine-wrong-mode", "store-total", "engine-stack", "net-timeout-code"];
    const kinds = new Map([...probes, ...Object.values(OWN)].map(({ id, kind }) => [id, kind]));
    for (const [id, kind] of kinds)
      expect([id, kind]).toEqual([id, expect.stringMatching(/^(promise|inference)$/)]);
    expect(none.map(id => kinds.get(id))).toEqual(none.map(() => "inference"));
  });

  it("says of all that goes through pack and sidecar that it is a promise", () => {
    const whole = probes.filter(({ id }) => /^(web|game|online|joined)-/.test(id));
    expect(whole.length).toBeGreaterThan(25);
    expect(whole.filter(({ kind }) => kind !== "promise")).toEqual([]);
  });

  it("says in one sentence what is assumed and how it is asked", () => {
    for (const { assumes, how } of probes)
      for (const sentence of [assumes, how]) {
        expect(sentence).toMatch(/^\S.{9,}\S$/);
        expect(sentence).not.toMatch(/[^.]\.$/);
      }
  });
});
