import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { unzipSync } from "fflate";
import { tarGz, zip } from "../../scripts/archives.mjs";
import type { Entry } from "../../scripts/files.mjs";
import { eachInFolder, folder } from "../helpers/folder.ts";
import { needs } from "../helpers/runner.ts";
import { has } from "./packages.ts";

const name = fc.stringMatching(/^[a-z][a-z0-9 ._-]{0,30}[a-z0-9]$/);
const entries: fc.Arbitrary<Entry[]> = fc.uniqueArray(
  fc.record({
    // A file is never also a folder: folders begin with another letter.
    path: fc
      .tuple(fc.array(name, { maxLength: 4 }), name)
      .map(([folders, file]) => [...folders.map(folder => `d-${folder}`), `f-${file}`].join("/")),
    content: fc.uint8Array({ maxLength: 3000 }),
    executable: fc.boolean(),
  }),
  { selector: ({ path }) => path, minLength: 1, maxLength: 12 },
);

eachInFolder("archives-");

describe("a tar archive", () => {
  needs("tar", has("tar", "--version")).it("gives every file back with its mode", async () => {
    await fc.assert(
      fc.asyncProperty(entries, async files => {
        const place = mkdtempSync(join(folder, "each-"));
        writeFileSync(join(place, "made.tar.gz"), await tarGz(files));
        mkdirSync(join(place, "out"));
        execFileSync("tar", ["-xpf", "made.tar.gz", "-C", "out"], { cwd: place });
        for (const { path, content, executable } of files) {
          const file = join(place, "out", path);
          expect(new Uint8Array(readFileSync(file))).toEqual(content);
          if (process.platform !== "win32")
            expect(statSync(file).mode & 0o777).toBe(executable ? 0o755 : 0o644);
        }
      }),
      { numRuns: 15 },
    );
  });

  needs("tar", has("tar", "--version")).it("holds paths and names of more than 100 bytes", async () => {
    const content = Buffer.from("text");
    const paths = [`${"folder-of-some-length/".repeat(6)}${"n".repeat(90)}.txt`, "n".repeat(101)];
    writeFileSync(join(folder, "made.tar.gz"), await tarGz(paths.map(path => ({ path, content }))));
    execFileSync("tar", ["-xf", "made.tar.gz"], { cwd: folder });
    for (const path of paths) expect(readFileSync(join(folder, path), "utf8")).toBe("text");
  });
});

describe("a zip archive", () => {
  it("gives every file back", () => {
    fc.assert(
      fc.property(entries, files => {
        const found = unzipSync(zip(files));
        expect(Object.keys(found)).toEqual(files.map(({ path }) => path).sort());
        for (const { path, content } of files) expect(found[path]).toEqual(content);
      }),
    );
  });

  needs("unzip", has("unzip", "-v")).it("keeps what may be run when unzip opens it", () => {
    const files = [
      { path: "a/run.sh", content: Buffer.from("#!/bin/sh\n"), executable: true },
      { path: "a/text.txt", content: Buffer.from("text") },
    ];
    writeFileSync(join(folder, "made.zip"), zip(files));
    execFileSync("unzip", ["-qq", "made.zip"], { cwd: folder });
    expect(readdirSync(join(folder, "a"))).toEqual(["run.sh", "text.txt"]);
    expect(statSync(join(folder, "a/run.sh")).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, "a/text.txt")).mode & 0o777).toBe(0o644);
  });
});

describe("both", () => {
  it("do not depend on the order of the entries", async () => {
    await fc.assert(
      fc.asyncProperty(entries, async files => {
        const turned = [...files].reverse();
        expect(Buffer.compare(await tarGz(files), await tarGz(turned))).toBe(0);
        expect(Buffer.compare(zip(files), zip(turned))).toBe(0);
      }),
      { numRuns: 20 },
    );
  });
});
