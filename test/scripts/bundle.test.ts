import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { bundle } from "../../scripts/bundle.mjs";
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
