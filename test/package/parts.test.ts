import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { packagesOf } from "../../scripts/bundle.mjs";
import { noticesOf } from "../../scripts/notices.mjs";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { ROOT } from "./packages.ts";

it("npm run package prints its usage when called with other arguments", () => {
  const args = [join(ROOT, "scripts/package.mjs"), "--platform", "all"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^Unknown option '--platform'[\s\S]*\nusage: /),
  ]);
});

describe("the packages of a bundle", () => {
  it("are found by their files, at any depth", () => {
    const files = [
      "node_modules/ws/index.js",
      "node_modules/@x/y/lib/z.js",
      "node_modules/ws/lib/receiver.js",
      "node_modules/b/node_modules/ms/index.js",
      "sidecar/main.ts",
    ];
    expect(packagesOf(files)).toEqual([
      "node_modules/@x/y",
      "node_modules/b/node_modules/ms",
      "node_modules/ws",
    ]);
  });
});

it("the notices have the licence of each package, and say if one has no text", () => {
  const folder = newFolder("notices-");
  for (const name of ["a", "b"]) {
    mkdirSync(join(folder, name));
    writeFileSync(
      join(folder, name, "package.json"),
      JSON.stringify({ name, version: "1.0.0", license: "ISC" }),
    );
  }
  writeFileSync(join(folder, "b/LICENSE.md"), "Text of b\n");
  const text = noticesOf([join(folder, "a"), join(folder, "b")]);
  expect(text).toMatch(
    /a 1\.0\.0\nLicence: ISC[\s\S]*includes no licence text[\s\S]*b 1\.0\.0[\s\S]*Text of b/,
  );
  writeFileSync(join(folder, "a/package.json"), '{"name":"a"}');
  expect(() => noticesOf([join(folder, "a")])).toThrow("a names no licence");
});

needs("a shell, not Windows", process.platform !== "win32").describe("start.sh", () => {
  const script = join(ROOT, "scripts/package/start.sh");
  let folder: string;
  let copy: string;
  beforeEach(() => {
    folder = newFolder("start-");
    copy = join(folder, "start.sh");
    cpSync(script, copy);
    writeFileSync(join(folder, "main.js"), "");
  });

  const start = (node: string): { status: number | null; stderr: string } =>
    spawnSync("sh", [copy], { env: { PATH: process.env.PATH, NODE: node }, encoding: "utf8" });

  it("says what is missing without Node", () => {
    const { status, stderr } = start(join(folder, "node"));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Node is missing\. Install Node 22\.18 or later from https:\/\/nodejs\.org/);
  });

  it("says that its archive is incomplete if the program is missing", () => {
    rmSync(join(folder, "main.js"));
    const { status, stderr } = start(process.execPath);
    expect([status, stderr]).toEqual([
      1,
      `main.js is missing in ${folder}. Unpack the archive again, over this folder: settings and data stay.\n`,
    ]);
  });

  it("starts its own files when called through links from another folder", () => {
    const node = join(folder, "node");
    writeFileSync(node, '#!/bin/sh\n[ "$1" = main.js ] && pwd -P\nexit 0\n', { mode: 0o755 });
    const [archive, other] = [join(folder, "web bridge"), join(folder, "other")];
    for (const path of [archive, other]) mkdirSync(path);
    cpSync(script, join(archive, "start.sh"));
    writeFileSync(join(archive, "main.js"), "");
    symlinkSync(join("..", "web bridge", "start.sh"), join(other, "first"));
    symlinkSync(join(other, "first"), join(other, "second"));
    for (const call of ["other/first", join(other, "second")]) {
      const env = { PATH: process.env.PATH, NODE: node, CDPATH: "/" };
      const { stdout } = spawnSync("sh", [call], { cwd: folder, env, encoding: "utf8" });
      expect([call, stdout]).toEqual([call, `${realpathSync(archive)}\n`]);
    }
  });

  it.each([
    [
      "a missing library",
      '#!/bin/sh\necho "node: error while loading shared libraries: libatomic.so.1: cannot open" >&2; exit 127\n',
      0o755,
      /^Node does not start: node: error .*libatomic\.so\.1: cannot open\nInstall that library .*apt install libatomic1/,
    ],
    ["a missing interpreter", "#!/no/such/sh\n", 0o755, /^Node does not start: .*node: .*not found\n/],
    [
      "the wrong processor",
      // The header of a Linux program for a processor that does not exist.
      Buffer.from("7f454c460201010000000000000000000200ffff", "hex"),
      0o755,
      /^Node does not start: .*(?:Exec format error|cannot execute).*\nIt has to match this machine \(/,
    ],
    ["what is not executable", "", 0o644, /^Node does not start: .*node: Permission denied\n.*be executable/],
    [
      "a program that ends without output",
      "#!/bin/sh\nexit 9\n",
      0o755,
      /^Node does not start: .*node ends with code 9\n/,
    ],
  ])("quotes the system's message when Node does not start: %s", (_what, program, mode, said) => {
    const node = join(folder, "node");
    writeFileSync(node, program, { mode });
    const { status, stderr } = start(node);
    expect(stderr).toMatch(said);
    expect(status).toBe(1);
  });
});

describe("start.cmd", () => {
  const text = readFileSync(join(ROOT, "scripts/package/start.cmd"), "utf8");

  it("is plain ASCII and jumps only to existing labels", () => {
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
    const labels = [...text.matchAll(/^:(\w+)$/gm)].map(([, label]) => label);
    const jumps = [...text.matchAll(/\bgoto (\w+)/g)].map(([, label]) => label);
    expect(new Set(jumps)).toEqual(new Set(labels.filter(label => jumps.includes(label))));
  });

  it("stays open after an error, and not after a clean stop or Ctrl+C", () => {
    const after = text.slice(text.indexOf("main.js --config"));
    expect(after.indexOf("if %ended%==0 exit /b 0")).toBeLessThan(after.indexOf("goto stay"));
    // The exit code of a program on Windows after Ctrl+C: 0xC000013A.
    expect(after).toContain(`if %ended%==${0xc000013a | 0} exit /b %ended%`);
    expect(after.slice(after.indexOf(":stay"))).toMatch(/pause\nexit \/b %ended%\s*$/);
  });
});
