import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "@jest/globals";
import { newFolder } from "../helpers/folder.ts";

const PROGRAM = fileURLToPath(new URL("../../scripts/make-server.mjs", import.meta.url));
const folder = newFolder("made ");

const run = (...args: string[]): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise(resolve => {
    const child = execFile(process.execPath, [PROGRAM, ...args], { cwd: folder }, (_error, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
  });

it("make-server prints its usage when it is asked for it, and refuses what it does not know", async () => {
  const usage = expect.stringMatching(/^usage: .*make-server <folder>/);
  const [help, ...wrong] = await Promise.all(
    [["--help"], [], ["--halp"], ["a", "b"], ["a", "--game", "1.20.0"], ["a", "--game"]].map(args =>
      run(...args),
    ),
  );
  expect(help).toEqual({ code: 0, out: usage, err: "" });
  for (const each of wrong) expect(each).toEqual({ code: 2, out: "", err: usage });
  expect(existsSync(join(folder, "a"))).toBe(false);
});

it("make-server makes the folder of the game that it is told", async () => {
  expect(await run("new", "--game", "1.26.60")).toMatchObject({ code: 0 });
  const properties = readFileSync(join(folder, "new", "server.properties"), "utf8");
  expect(properties).toMatch(/^transport=nethernet$/m);
  expect(properties).toMatch(/^server-udp-ports=\d+$/m);
});

it("make-server leaves a folder alone that has something in it", async () => {
  const real = join(folder, "real");
  mkdirSync(real);
  writeFileSync(join(real, "server.properties"), "server-name=Mine\n");
  const fault = expect.stringContaining("real: has something in it: expected a new folder");
  expect(await run("real", "--game", "1.26.60")).toEqual({ code: 1, out: "", err: fault });
  expect(readdirSync(real)).toEqual(["server.properties"]);
  expect(readFileSync(join(real, "server.properties"), "utf8")).toBe("server-name=Mine\n");
});

it("make-server names a folder that cannot be made, and why", async () => {
  writeFileSync(join(folder, "file"), "");
  const cases: [path: string, why: string][] = [["file/below/it", "ENOTDIR"]];
  // The system makes nothing there, though the folder above is there.
  if (existsSync("/proc/self")) cases.push(["/proc/nope", "ENOENT"], ["/proc/nope/below/it", "ENOENT"]);
  for (const [path, why] of cases) {
    const fault = `${resolve(folder, path)}: cannot be made: ${why}\n`;
    expect(await run(path)).toEqual({ code: 1, out: "", err: fault });
  }
  expect(await run("file")).toEqual({
    code: 1,
    out: "",
    err: `${join(folder, "file")}: is a file: expected a new folder\n`,
  });
});
