import { describe, expect, it } from "@jest/globals";
import { type Probe, Skipped, type TestEnvironment } from "./probe.ts";
import { isExpected, runProbes, selectProbes } from "./probe-runner.ts";
import { probes } from "./probes/all.ts";

const probesOf = (...given: Partial<Probe>[]) => {
  const table = given.map((probe, place) => ({
    ...{ id: `p${place}`, expect: "answered", why: "for the test", ask: async () => "answered" },
    ...probe,
  }));
  const env = { levels: new Set(["world"]), crash: undefined } as Partial<TestEnvironment> as TestEnvironment;
  return runProbes(table, env, () => undefined);
};

describe("the table of probes", () => {
  it("gives each probe a unique id and a reason", () => {
    const ids = probes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(50);
    expect(ids.filter(id => !/^[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
    expect(probes.filter(({ why, expect }) => why.length < 15 || /[.!]$/.test(why) || expect === "")).toEqual(
      [],
    );
  });
});

describe("an answer", () => {
  it.each([
    ["answer 200", "answer 200", true],
    ["answer 200; after 20 s", "answer 200", true],
    ["answer 2000", "answer 200", false],
    ["rejected", "answer 200", false],
  ])("%j is compared with %j word for word, without details: %s", (seen, expected, isSo) => {
    expect(isExpected(seen, expected)).toBe(isSo);
  });

  it("is ok, failed or skipped, and an error is a failure", async () => {
    const answers = await probesOf(
      { ask: async () => "answered; in time" },
      { ask: async () => "nothing" },
      { ask: () => Promise.reject(new Error("the script did not answer")) },
      { ask: () => Promise.reject(new Skipped("this server uses RakNet")) },
      { needs: "script" },
      { needs: "world" },
    );
    expect(answers.map(({ state, seen }) => [state, seen])).toEqual([
      ["ok", "answered; in time"],
      ["failed", "nothing"],
      ["failed", "the script did not answer"],
      ["skipped", "this server uses RakNet"],
      ["skipped", "the script with the probes does not run"],
      ["ok", "answered"],
    ]);
  });

  it("of a probe that crashes the game is the last one that needs it", async () => {
    const levels: TestEnvironment["levels"] = new Set(["script"]);
    const crash = "it ended after 3 s (SIGSEGV)";
    const env = { levels, crash } as Partial<TestEnvironment> as TestEnvironment;
    const probe = { id: "p", expect: "x", why: "for the test", needs: "script" as const };
    const table = [
      {
        ...probe,
        ask: async () => {
          levels.clear();
          throw new Error("the server ended before the script answered");
        },
      },
      { ...probe, ask: async () => "x" },
    ];
    const answers = await runProbes(table, env, () => undefined);
    expect(answers.map(({ state, seen }) => [state, seen])).toEqual([
      ["failed", "the server ended before the script answered"],
      ["skipped", "the server has crashed"],
    ]);
  });
});

describe("--only", () => {
  it("runs the named probes and the steps that they need", () => {
    const ids = (only: string[]): string[] => selectProbes(probes, only).map(({ id }) => id);
    expect(ids(["net-long-poll"])).toEqual(["first-start", "setup", "probes-load", "net-long-poll"]);
    expect(ids(["web-status"])).toEqual([
      ...["first-start", "setup", "pack-connects", "module-versions", "web-status"],
    ]);
    expect(selectProbes(probes, undefined)).toBe(probes);
  });

  it("rejects an unknown probe", () => {
    expect(() => selectProbes(probes, ["net-answer", "nothing"])).toThrow("--only: unknown probe: nothing");
  });
});
