import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { isOfTests, sourceFiles } from "./helpers/test-files.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const CRUISER = join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");

const CLOCK = "export const now = 1;\n";
const uses = (path: string): string => `import { now } from "${path}";\nexport const then = now;\n`;

/** A sample app: two files that follow the table, and files that each break a rule. */
const SAMPLE: Record<string, [text: string, rule?: string]> = {
  "shared/limits.ts": [CLOCK],
  "sidecar/features/linking/rules.ts": [uses("../../../shared/limits.ts")],
  "sidecar/features/chat/rules/chat.ts": ['import "node:fs";\n', "pure-rules"],
  "sidecar/features/chat/chat.ts": [uses("../../../client/http.ts"), "sidecar/features"],
  "client/http.ts": [uses("../shared/public/game-server.ts"), "client-types"],
  "shared/public/game-server.ts": [CLOCK],
  "behavior_pack/pack.ts": [uses("../sidecar/platform/clock.ts"), "behavior_pack"],
  "sidecar/platform/clock.ts": [CLOCK],
  "sidecar/platform/log.ts": [uses("../kernel/http/answer.ts"), "sidecar/platform"],
  "sidecar/kernel/http/answer.ts": [CLOCK],
  "sidecar/kernel/bridge/actions.ts": [uses("../../features/linking/rules.ts"), "sidecar/kernel"],
  "sidecar/kernel/http/router.ts": [uses("../../features/linking/rules.ts"), "sidecar/kernel/http"],
  "sidecar/kernel/storage/records.ts": [uses("../../features/linking/rules.ts"), "sidecar/kernel/storage"],
  "lab/demo/main.ts": [uses("./game.ts"), "nothing-missing"],
  "bds/level.ts": [CLOCK, "no-file-that-nobody-imports"],
  "bds/nbt.ts": [uses("./text.ts"), "no-circle"],
  "bds/text.ts": [uses("./nbt.ts")],
};

describe("the table of folders", () => {
  it("allows the listed imports only", () => {
    const folder = mkdtempSync(join(tmpdir(), "folders-"));
    for (const [path, [text]] of Object.entries(SAMPLE)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    for (const file of ["tsconfig.base.json", "package.json"])
      writeFileSync(join(folder, file), readFileSync(join(ROOT, file)));
    const config = join(ROOT, ".dependency-cruiser.mjs");
    const args = [CRUISER, "--config", config, "--output-type", "json", "."];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    rmSync(folder, { recursive: true, force: true });
    const { summary }: CruiseResult = JSON.parse(stdout);
    const broken = new Set(summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`));
    const planted = Object.entries(SAMPLE).flatMap(([path, [, rule]]) => (rule ? [`${path}: ${rule}`] : []));
    expect([...broken].sort()).toEqual(planted.sort());
  });
});

interface CruiseResult {
  summary: { violations: { from: string; rule: { name: string } }[] };
}

describe("source files", () => {
  const files = sourceFiles();

  it("have a median of at most 90 lines, without tests", () => {
    const product = files.filter(({ name }) => !isOfTests(name));
    const lengths = product.map(({ text }) => text.split("\n").length - 1).sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(90);
  });

  it("are in folders that CONTRIBUTING.md describes, each in one row", () => {
    const table = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8").split("\n## ")[2] ?? "";
    const rows = [...table.matchAll(/^\| (`.+?) \|/gm)].map(([, row = ""]) => row);
    const named = rows.flatMap(row => [...row.matchAll(/`([^`]+)\/`/g)].map(([, folder = ""]) => folder));
    // Files that build everything, and files for containers, belong to no row.
    const pattern = /^((?:sidecar|owner|lab)\/[^/]+|(?!sidecar|owner|lab|scripts|deploy)[^/]+)\//;
    const folders = new Set(files.flatMap(({ name }) => pattern.exec(name)?.[1] ?? []));
    expect(table).toMatch(/^Layout\n/);
    expect(named).toEqual([...new Set(named)]);
    expect([...folders].filter(one => !named.includes(one))).toEqual([]);
  });

  it("have no marks for later and no cast through unknown", () => {
    const marks = new RegExp(["TO" + "DO", "FIX" + "ME", "as " + "unknown as"].join("|"));
    expect(files.filter(({ text }) => marks.test(text)).map(({ name }) => name)).toEqual([]);
  });
});
