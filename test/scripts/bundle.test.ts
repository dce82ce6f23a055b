import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { parse } from "acorn";
import { bundle } from "../../scripts/bundle.mjs";
import { bundleOf, entryOf } from "../../scripts/entry.mjs";
import { newFolder } from "../helpers/folder.ts";

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
  it("keeps names, lines and signs of other languages where the game reads it", async () => {
    const { code, map } = await made(
      'export const hello = (name: string) => {\n  return "§aГость " + name;\n};',
      "game",
    );
    expect(code).toContain('hello = (name) => {\n\treturn "§aГость " + name;\n};');
    expect(map).toBeUndefined();
  });

  it("has no comments where the game reads it, tabs before its lines, and all that only looks like either", async () => {
    const text =
      "export const to = {\n  /** Doc.\n   * More. */\n  // Line.\n  a: () => `\n  // text\n  /** text */\n`,\n};";
    const { code } = await made(text, "game");
    expect(code).toMatch(/^var to = {\n\ta: \(\) => `\n {2}\/\/ text\n {2}\/\*\* text \*\/\n`\n};/);
    expect((await made(text, "node")).code).toContain("// Line.");
  });

  it.each([
    ["game", '"node:fs"'],
    ["browser", '"node:fs"'],
    ["alone", '"no-such-package"'],
  ] as const)("for %s may not import %s", async (place, name) => {
    await expect(made(`import * as it from ${name}; console.log(it);`, place)).rejects.toThrow(
      "Could not resolve",
    );
  });

  it("is refused for what is doubtful", async () => {
    await expect(made("console.log({ one: 1, one: 2 });", "node")).rejects.toThrow(
      /entry\.ts:1: Duplicate key "one"/,
    );
  });
});

describe("the program of the sidecar", () => {
  it("loads nothing of Redis and of the provider of sign-ins before they are turned on", async () => {
    const { begins, files } = await bundle("sidecar/main.ts", "service", "dist/sidecar/main.js");
    const apart = /^node_modules\/(@redis|oidc-provider|jose|koa)\/|^sidecar\/redis\/|sign-in/;
    expect(begins).toContain("sidecar/main.ts");
    // How it is set, where its state would be kept, and what describes its calls.
    expect(begins.filter(path => apart.test(path)).sort()).toEqual([
      "shared/public/sign-in.ts",
      "sidecar/config/sign-in.ts",
      "sidecar/contracts/sign-in.ts",
      "sidecar/store/sign-in-file.ts",
      "sidecar/store/sign-in-secrets.ts",
    ]);
    for (const path of ["sidecar/redis/open.ts", "sidecar/sign-in.ts", "sidecar/domain/sign-in.ts"])
      expect(files).toContain(path);
  });
});

describe("the entry of a program", () => {
  it.each([
    ["9.11.2", undefined],
    ["20.20.2", undefined],
    ["22.17.9", undefined],
    ["22.18.0", "ran\n"],
    ["100.0.0", "ran\n"],
  ])("looks at Node %s before it loads the rest", (version, out) => {
    const program = join(folder, "tool.js");
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(program, entryOf(program));
    writeFileSync(bundleOf(program), out === undefined ? 'import "node:nothing";' : 'console.log("ran");');
    const versions = `data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "${version}" } })`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", versions, program], {
      encoding: "utf8",
    });
    const line = `Node 22.18 or later is needed, and this is Node ${version} (${process.execPath}). Get it from https://nodejs.org\n`;
    expect([status, stdout, stderr]).toEqual(out === undefined ? [1, "", line] : [0, out, ""]);
  });

  it.each([
    ["is missing", undefined, /missing or damaged: Cannot find module '.*tool.program.js'/],
    [
      "needs a package that is missing",
      'import "no-such-package";',
      /missing or damaged: Cannot find package /,
    ],
    [
      "is cut",
      "const a = {",
      /missing or damaged: Unexpected end of input\. Unpack the archive again; in a copy /,
    ],
    ["fails by itself", 'JSON.parse("{");', /SyntaxError: .+at JSON\.parse/s],
  ])("says in one line that the rest %s", (_how, text, says) => {
    const program = join(folder, "tool.js");
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(program, entryOf(program));
    rmSync(bundleOf(program), { force: true });
    if (text !== undefined) writeFileSync(bundleOf(program), text);
    const { status, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringMatching(says)]);
    expect(/^[^\n]*\n$/.test(stderr)).toBe(!stderr.includes("JSON.parse"));
  });

  it("can be read by old versions of Node", () => {
    expect(() => parse(entryOf("tool.js"), { ecmaVersion: 2020, sourceType: "script" })).not.toThrow();
  });
});
