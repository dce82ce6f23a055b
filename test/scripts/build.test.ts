import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { needs } from "../helpers/runner.ts";

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string): string => readFileSync(file(path), "utf8");

// `npm test` builds first; who runs a test by itself may not have built yet.
needs("npm run build", existsSync(file("dist/behavior_pack/manifest.json"))).describe("the build", () => {
  it("makes one script of the pack that imports nothing but modules of the engine", () => {
    const script = read("dist/behavior_pack/scripts/main.js");
    const imported = [...script.matchAll(/^(?:import|export)\b.*?from "([^"]+)";$/gm)].map(match => match[1]);
    expect(imported.length).toBeGreaterThan(0);
    for (const name of imported) expect(name).toMatch(/^@minecraft\//);
    expect(script).not.toMatch(/\bimport\(|\brequire\(|sourceMappingURL/);
  });

  it("keeps the names of the pack's sources in its script", () => {
    const script = read("dist/behavior_pack/scripts/main.js");
    for (const name of ["createActions", "createPack"])
      expect(script).toMatch(new RegExp(`^function ${name}\\(`, "m"));
  });

  it("makes the sidecar with a map, with nothing of Redis and of the provider of sign-ins in what it loads at its start", () => {
    const main = read("dist/sidecar/main.program.js");
    const beside = [...main.matchAll(/from "\.\/([^"]+)"/g)].map(([, path]) => path ?? "");
    for (const code of [main, ...beside.map(path => read(`dist/sidecar/${path}`))])
      expect(code).not.toMatch(/node_modules\/(@redis\/client|oidc-provider|koa)\//);
    const parts = readdirSync(file("dist/sidecar/lib")).filter(name => name.endsWith(".js"));
    const open = parts.find(name => name.startsWith("open-")) ?? "";
    expect(read(`dist/sidecar/lib/${open}`)).toContain("node_modules/@redis/client");
    expect(existsSync(file("dist/sidecar/main.program.js.map"))).toBe(true);
  });
});

describe("the version", () => {
  it("is the same in package.json and in what both sides announce", () => {
    expect(JSON.parse(read("package.json")).version).toBe(PRODUCT_VERSION);
  });
});
