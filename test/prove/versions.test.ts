import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "@jest/globals";
import { reportOf } from "../../owner/prove/report/read.ts";
import { leaksOf } from "../../owner/prove/report/write.ts";
import { versionsOf } from "../../owner/prove/versions.ts";
import { ROOT } from "../package/packages.ts";
import { aReport } from "./a-report.ts";

const folder = (files: Record<string, unknown>): string => {
  const root = mkdtempSync(join(tmpdir(), "versions-"));
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(value));
  }
  return root;
};

it("the versions of a trial are those of Node, the system, the pack's modules and the libraries that are there", () => {
  const root = folder({
    "package.json": { dependencies: { express: "^5.0.0", ws: "^8.0.0" } },
    "node_modules/express/package.json": { version: "5.3.0" },
    "pack/manifest.json": {
      dependencies: [{ module_name: "@minecraft/server", version: "beta" }, { uuid: "x" }, null, 1],
    },
  });
  const { system, ...rest } = versionsOf(root, join(root, "pack"));
  expect(rest).toEqual({ node: process.versions.node, "@minecraft/server": "beta", express: "5.3.0" });
  expect(system).toMatch(/^\d[\d.]* \w+$/);
});

it("the versions of a trial are Node's and the system's where nothing else can be read", () => {
  const root = folder({});
  expect(Object.keys(versionsOf(root, join(root, "pack")))).toEqual(["node", "system"]);
});

it("the versions of this build fit into a report and name nobody", () => {
  const versions = versionsOf(ROOT, join(ROOT, "dist/behavior_pack"));
  expect(versions.express).toBeDefined();
  const report = aReport({ versions });
  expect(reportOf(report)).toEqual({ value: report });
  expect(leaksOf(report)).toEqual([]);
});
