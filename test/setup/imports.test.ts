import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** What the files of a room import, without their own and Node's modules. */
function importsOf(room: string): string[] {
  const folder = new URL(`../../${room}/`, import.meta.url);
  const names = readdirSync(folder).flatMap(file =>
    [...readFileSync(new URL(file, folder), "utf8").matchAll(/from "([^"]+)"/g)].map(([, name = ""]) => name),
  );
  return [...new Set(names)].filter(name => !name.startsWith("./") && !name.startsWith("node:")).sort();
}

describe("imports", () => {
  it("of bds lead nowhere but to the editor of JSON", () => {
    expect(importsOf("bds")).toEqual(["jsonc-parser"]);
  });

  it("of setup lead to bds, shared and the sidecar's configuration", () => {
    const allowed = /^(\.\.\/(bds|shared|sidecar\/config)\/|\.\.\/sidecar\/errno\.ts$|yaml$|jsonc-parser$)/;
    expect(importsOf("setup").filter(name => !allowed.test(name))).toEqual([]);
  });
});
