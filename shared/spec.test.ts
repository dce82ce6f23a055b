import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { testFiles } from "../test/helpers/test-files.ts";
import { BRIDGE_ERRORS } from "./frames.ts";
import { WIRE_VERSION } from "./version.ts";

const root = new URL("../", import.meta.url);
const spec = readFileSync(new URL("shared/SPEC.md", root), "utf8");

const rules = [...spec.matchAll(/^- \*\*([A-Z]+-\d+)\*\* /gm)].map(([, rule = ""]) => rule);
const parts = [...new Set(rules.map(rule => rule.replace(/-.*/, "")))];

/** Rules named at the start of test names. */
const testedRules = testFiles()
  .filter(({ name }) => /\.(test|contract)\.ts$/.test(name))
  .flatMap(({ text }) => [...text.matchAll(/"((?:\[[A-Z]+-\d+\] )+)/g)])
  .flatMap(([, names = ""]) => names.match(/[A-Z]+-\d+/g) ?? []);

describe("the rules of the protocol", () => {
  it("are numbered without gaps in each part", () => {
    for (const part of parts) {
      const partRules = rules.filter(rule => rule.startsWith(`${part}-`));
      expect(partRules).toEqual(partRules.map((_, i) => `${part}-${i + 1}`));
    }
    expect(rules.length).toBeGreaterThan(40);
  });

  it("each have a test with their name", () => {
    expect(rules.filter(rule => !testedRules.includes(rule))).toEqual([]);
  });

  it("are the only ones that tests name", () => {
    expect(testedRules.filter(rule => !rules.includes(rule))).toEqual([]);
  });

  it("are the only ones that the text refers to", () => {
    const named = spec.match(new RegExp(`\\b(?:${parts.join("|")})-\\d+`, "g")) ?? [];
    expect(named.filter(rule => !rules.includes(rule))).toEqual([]);
  });

  it("have a row for each part that names its source files", () => {
    expect([...spec.matchAll(/^\| ([A-Z]+) \|/gm)].map(([, part]) => part)).toEqual(parts);
  });
});

describe("the text of the protocol", () => {
  it("[REFUSE-1] has every error code with its status, and no other", () => {
    const rows = [...spec.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
      code,
      Number(status),
    ]);
    expect(Object.fromEntries(rows)).toEqual(BRIDGE_ERRORS);
    expect(rows).toHaveLength(Object.keys(BRIDGE_ERRORS).length);
  });

  it("[VER-4] has a line for each wire version, the newest first", () => {
    const logged = [...spec.matchAll(/^- Wire (\d+): \S/gm)].map(([, version]) => Number(version));
    expect(logged).toEqual(Array.from({ length: WIRE_VERSION }, (_, i) => WIRE_VERSION - i));
  });
});
