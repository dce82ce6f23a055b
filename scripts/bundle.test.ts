import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { parse } from "acorn";
import { newFolder } from "../test/helpers/folder.ts";
import { BUNDLES } from "./build.mjs";
import { bundle, bundlePrograms } from "./bundle.mjs";
import { entryOf } from "./program-entry.mjs";

let folder: string;
beforeAll(() => {
  folder = newFolder("bundle-");
});

/** Bundles a module with this text. */
function made(text: string, place: Parameters<typeof bundle>[1]): ReturnType<typeof bundle> {
  const entry = join(folder, "entry.ts");
  writeFileSync(entry, text);
  return bundle(entry, place);
}

describe("a bundle", () => {
  it("keeps names and characters of other languages for the game, and has a source map", async () => {
    const { code, map } = await made(
      'export const hello = (name: string) => {\n  // said\n  return "§aГость " + name;\n};',
      "game",
    );
    expect(code).toMatch(/hello=name=>"§aГость "\+name/);
    expect(code).not.toContain("said");
    expect(JSON.parse(map).sources).toEqual([expect.stringMatching(/entry\.ts$/)]);
  });

  it.each([
    ["game", '"node:fs"'],
    ["browser", '"node:fs"'],
  ] as const)("for %s must not import %s", async (place, name) => {
    await expect(made(`import * as it from ${name}; console.log(it);`, place)).rejects.toThrow(
      "Could not resolve",
    );
  });

  it("is rejected on a warning", async () => {
    await expect(made("console.log({ one: 1, one: 2 });", "node")).rejects.toThrow(
      /entry\.ts:1: Duplicate key "one"/,
    );
  });
});

describe("the program of the sidecar", () => {
  it("loads neither Redis, the sign-in provider nor the check for releases before they are turned on", async () => {
    const { loaded, files, packages } = await bundlePrograms(BUNDLES.sidecar);
    const begins = loaded("sidecar/main.program");
    const apart =
      /^node_modules\/(@redis|oidc-provider|jose|koa)\/|^sidecar\/kernel\/storage\/redis\/|^sidecar\/features\/updates\/|sign-in/;
    expect(begins).toContain("sidecar/main.ts");
    // How it is configured, where it would store data, and the described routes.
    expect(begins.filter(path => apart.test(path)).sort()).toEqual([
      "shared/public/sign-in.ts",
      "sidecar/config/sign-in.ts",
      "sidecar/features/sign-in/index.ts",
      "sidecar/features/sign-in/provider-port.ts",
      "sidecar/features/sign-in/records.ts",
      "sidecar/features/sign-in/routes.ts",
      "sidecar/features/sign-in/secrets-file.ts",
    ]);
    expect(packages).toEqual(
      expect.arrayContaining(["node_modules/@redis/client", "node_modules/oidc-provider"]),
    );
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["sidecar/main.program.js", "sidecar/main.program.js.map"]),
    );
  });
});

describe("the entry of a program", () => {
  /** Runs an entry before this text, if any. */
  function run(rest: string | undefined, ...args: string[]) {
    const [program, file] = [join(folder, "tool.js"), join(folder, "tool.program.js")];
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(program, entryOf("./tool.program.js"));
    rmSync(file, { force: true });
    if (rest !== undefined) writeFileSync(file, rest);
    return spawnSync(process.execPath, [...args, program], { encoding: "utf8" });
  }

  it.each([
    ["9.11.2", false],
    ["22.17.9", false],
    ["22.18.0", true],
    ["100.0.0", true],
  ])("checks Node %s before it loads the rest", (version, isNew) => {
    const versions = `data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "${version}" } })`;
    const rest = isNew ? 'console.log("ran");' : 'import "node:nothing";';
    const { status, stdout, stderr } = run(rest, "--import", versions);
    const line = `Node 22.18 or later is required, but this is Node ${version} (${process.execPath}). Get it from https://nodejs.org\n`;
    expect([status, stdout, stderr]).toEqual(isNew ? [0, "ran\n", ""] : [1, "", line]);
  });

  it.each([
    [
      "is missing",
      undefined,
      /^.+incomplete or damaged: Cannot find module '.*tool.program.js'.*\. Unpack the archive again; .*\n$/,
    ],
    [
      "is cut",
      "const a = {",
      /^.+incomplete or damaged: Unexpected end of input\. Unpack the archive again; .*\n$/,
    ],
    ["fails by itself", 'JSON.parse("{");', /SyntaxError: .+at JSON\.parse/s],
  ])("says in one line that the rest %s", (_how, rest, says) => {
    const { status, stderr } = run(rest);
    expect([status, stderr]).toEqual([1, expect.stringMatching(says)]);
  });

  it("can be parsed by old versions of Node", () => {
    expect(() =>
      parse(entryOf("./tool.program.js"), { ecmaVersion: 2020, sourceType: "script" }),
    ).not.toThrow();
  });
});
