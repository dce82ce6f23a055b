import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { unzipSync } from "fflate";
import { eachInFolder, folder } from "../test/helpers/folder.ts";
import { needs } from "../test/helpers/needs.ts";
import { has } from "../test/package/packages.ts";
import { tarGz, zip } from "./archives.mjs";

eachInFolder("archives-");

const files = [
  { path: "a/run.sh", content: Buffer.from("#!/bin/sh\n"), executable: true },
  { path: `${"folder-of-some-length/".repeat(6)}${"n".repeat(90)}.txt`, content: Buffer.from("long") },
  { path: "a/text.txt", content: Buffer.from("text") },
];

/** The extracted files of an archive. */
function expectOpened(): void {
  for (const { path, content, executable } of files) {
    expect(readFileSync(join(folder, path))).toEqual(content);
    if (process.platform !== "win32")
      expect(statSync(join(folder, path)).mode & 0o777).toBe(executable ? 0o755 : 0o644);
  }
}

describe("an archive", () => {
  needs("tar", has("tar", "--version")).it("gives tar every file with its mode, for any path", async () => {
    writeFileSync(join(folder, "made.tar.gz"), await tarGz(files));
    execFileSync("tar", ["-xpf", "made.tar.gz"], { cwd: folder });
    expectOpened();
  });

  needs("unzip", has("unzip", "-v")).it("gives unzip every file with its mode", () => {
    writeFileSync(join(folder, "made.zip"), zip(files));
    execFileSync("unzip", ["-qq", "made.zip"], { cwd: folder });
    expectOpened();
  });

  it("is the same for the same files in any order", async () => {
    const turned = [...files].reverse();
    expect(Buffer.compare(await tarGz(files), await tarGz(turned))).toBe(0);
    expect(Buffer.compare(zip(files), zip(turned))).toBe(0);
    expect(Object.keys(unzipSync(zip(turned)))).toEqual(files.map(({ path }) => path).sort());
  });
});
