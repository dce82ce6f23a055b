import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { bundle } from "../../scripts/bundle.mjs";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bundle-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
    expect(code).toContain('hello=(name)=>{\n\treturn "§aГость " + name;\n};');
    expect(map).toBeUndefined();
  });

  it("has no comment where the game reads it, and keeps every text as it is", async () => {
    const texts = `const url = 'http://a/*b*/';\nconst lines = \`a\n    b \${url /* c */}\n  // d\`;`;
    const { code } = await made(
      `/** of all */\n${texts}\n// of one\nexport const it = { /** f */ url, lines, r: /\\/\\/ {4}/ };`,
      "game",
    );
    const before = `var url="http://a/*b*/";\nvar lines=\`a\n    b \${url}\n  // d\`;\n`;
    expect(code).toBe(`${before}var it={\n\turl,\n\tlines,\n\tr:/\\/\\/ {4}/\n};\nexport{\n\tit\n};\n`);
  });

  it("keeps the spaces that part something where the game reads it", async () => {
    const { code } = await made(
      "export const it = (a: number, b: number) => a + +b - -a / (typeof b in {} ? .5 : 1) < a && [a - --b] || !a;",
      "game",
    );
    expect(code).toContain("var it=(a,b)=>a + +b - -a /(typeof b in{}? 0.5:1)< a&&[a - --b]||!a;");
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
