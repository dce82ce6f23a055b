import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { PROGRAMS } from "../../scripts/build.mjs";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { ROOT } from "./packages.ts";

const script = (name: string): string => join(ROOT, "scripts/package", name);
const text = (name: string): string => readFileSync(script(name), "utf8");

/** A program that plays Node: it prints its name, its folder and its arguments. */
const program = (name: string): string =>
  `#!/bin/sh\n[ "$1" = --version ] && exit 0\nprintf '%s\\n' ${name} "$(pwd -P)" "$@"; exit 7\n`;

needs("a shell, not Windows", process.platform !== "win32").describe("web-bridge and start.sh", () => {
  let folder: string;
  let archive: string;
  beforeEach(() => {
    folder = realpathSync(newFolder("commands of "));
    archive = join(folder, "web bridge");
    mkdirSync(join(archive, "node/bin"), { recursive: true });
    mkdirSync(join(folder, "bin"));
    for (const name of ["web-bridge", "start.sh"]) cpSync(script(name), join(archive, name));
    writeFileSync(join(archive, "main.js"), "");
  });

  const put = (path: string, content: string | Buffer, mode = 0o755): string => {
    writeFileSync(join(folder, path), content, { mode });
    return join(folder, path);
  };
  const BUNDLED = "web bridge/node/bin/node";

  /** Calls a script in the test's folder, with only the programs in `bin` and those that every system has. */
  function call(name: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
    for (const each of ["dirname", "readlink", "sh", "uname"]) {
      const { stdout } = spawnSync("sh", ["-c", `command -v ${each}`], { encoding: "utf8" });
      rmSync(join(folder, "bin", each), { force: true });
      symlinkSync(stdout.trim(), join(folder, "bin", each));
    }
    const { status, stdout, stderr } = spawnSync("/bin/sh", [join(folder, name), ...args], {
      cwd: folder,
      env: { PATH: join(folder, "bin"), ...env },
      encoding: "utf8",
    });
    return { status, out: stdout.split("\n").slice(0, -1), err: stderr };
  }

  it("run a command with its arguments in the caller's folder, and end with its exit code", () => {
    put(BUNDLED, program("bundled"));
    const { status, out, err } = call("web bridge/web-bridge", ["setup", "--server", "my server", ""]);
    const dispatcher = join(archive, "dist/web-bridge.js");
    expect(out).toEqual(["bundled", folder, dispatcher, "setup", "--server", "my server", ""]);
    expect([status, err]).toEqual([7, ""]);
  });

  it("start the sidecar with the configuration of the archive, or of WEB_BRIDGE_CONFIG", () => {
    put(BUNDLED, program("bundled"));
    const main = join(archive, "main.js");
    const started = ["bundled", folder, main, "--config"];
    expect(call("web bridge/start.sh").out).toEqual([...started, join(archive, "config.yml")]);
    expect(call("web bridge/start.sh", ["--health"], { WEB_BRIDGE_CONFIG: "c.yml" }).out).toEqual([
      ...started,
      "c.yml",
      "--health",
    ]);
  });

  it("start a game server too where --server names one, with the memory settings that it had", () => {
    put(BUNDLED, '#!/bin/sh\nprintf "%s\\n" "arenas $MALLOC_ARENA_MAX" "$@"\n');
    const dispatcher = join(archive, "dist/web-bridge.js");
    for (const args of [["--server", "my server"], ["--server=my server"]])
      expect(call("web bridge/start.sh", args).out).toEqual(["arenas ", dispatcher, "start", ...args]);
    expect(call("web bridge/start.sh").out[0]).toBe("arenas 1");
  });

  it("find their files when called through links from another folder", () => {
    put(BUNDLED, program("bundled"));
    mkdirSync(join(folder, "other"));
    symlinkSync(join("..", "web bridge", "start.sh"), join(folder, "other/first"));
    symlinkSync(join(folder, "other/first"), join(folder, "other/second"));
    for (const name of ["other/first", "other/second"])
      expect(call(name).out[2]).toBe(join(archive, "main.js"));
  });

  it("prefer the Node of the variable NODE, then that of the archive, then that of the system", () => {
    put("bin/node", program("system"));
    expect(call("web bridge/web-bridge", ["key"]).out[0]).toBe("system");
    put(BUNDLED, program("bundled"));
    expect(call("web bridge/web-bridge", ["key"]).out[0]).toBe("bundled");
    const own = put("own node", program("own"));
    expect(call("web bridge/web-bridge", ["key"], { NODE: own }).out[0]).toBe("own");
  });

  it("use the system's Node if the one in the archive does not start, and say so", () => {
    put(BUNDLED, "#!/no/such/sh\n");
    put("bin/node", program("system"));
    const { out, err } = call("web bridge/web-bridge", ["key"]);
    expect(out[0]).toBe("system");
    expect(err).toMatch(/^Using node, because another Node does not start: .*node.*not found/);
  });

  it("say what is missing without Node", () => {
    const { status, err } = call("web bridge/start.sh", [], { NODE: join(folder, "node") });
    expect(status).toBe(1);
    expect(err).toMatch(/^Node is missing\. Install Node 22\.18 or later from https:\/\/nodejs\.org/);
  });

  it("say that their archive is incomplete if the program is missing", () => {
    rmSync(join(archive, "main.js"));
    const { status, err } = call("web bridge/start.sh");
    expect([status, err]).toEqual([
      1,
      `main.js is missing in ${archive}. Unpack the archive again, over this folder: settings and data stay.\n`,
    ]);
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
  ])("quote the system's message when Node does not start: %s", (_what, content, mode, said) => {
    const node = put("node", content, mode);
    const { status, err } = call("web bridge/start.sh", [], { NODE: node });
    expect(err).toMatch(said);
    expect(status).toBe(1);
  });
});

describe("the list of commands", () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [script("web-bridge.js"), ...args], { encoding: "utf8" });

  it("has every program of the archive, and is printed without a command", () => {
    const { status, stdout, stderr } = run();
    expect([status, stdout]).toEqual([2, ""]);
    const listed = [...stderr.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name);
    const tools = Object.keys(PROGRAMS).flatMap(path => /^tools\/(\w+)$/.exec(path)?.[1] ?? []);
    expect(listed.sort()).toEqual([...tools, "start"].sort());
    expect(run("--help")).toMatchObject({ status: 0, stdout: stderr, stderr: "" });
  });

  it("is in the message about an unknown command, which is one line", () => {
    for (const name of ["sett", "constructor", "../setup"]) {
      const { status, stderr } = run(name, "--server", "x");
      expect([status, stderr]).toEqual([
        2,
        expect.stringMatching(/^\S+ is not a command\. The commands are: start, launch, setup, .*\.\n$/),
      ]);
    }
  });

  it("names a file that the archive lacks", () => {
    const { status, stderr } = run("doctor");
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^This archive is incomplete: .*doctor\.js.* Unpack it again\.\n$/),
    ]);
  });
});

describe("web-bridge.cmd and start.cmd", () => {
  it("are plain ASCII and jump only to existing labels", () => {
    for (const name of ["web-bridge.cmd", "start.cmd"]) {
      expect(text(name)).toMatch(/^[\n\x20-\x7e]*$/);
      const labels = [...text(name).matchAll(/^:(\w+)$/gm)].map(([, label]) => label);
      const jumps = [...text(name).matchAll(/\bgoto (\w+)/g)].map(([, label]) => label);
      expect(new Set(jumps)).toEqual(new Set(labels.filter(label => jumps.includes(label))));
    }
  });

  it("stay open after an error of a double click, and not after a clean stop, Ctrl+C or with options", () => {
    const after = text("web-bridge.cmd").split('dist\\web-bridge.js" %*\n')[1] ?? "";
    expect(after.indexOf("if %ended%==0 exit /b 0")).toBeLessThan(after.indexOf("goto stay"));
    // The exit code of a program on Windows after Ctrl+C: 0xC000013A.
    expect(after).toContain(`if %ended%==${0xc000013a | 0} exit /b %ended%`);
    const end = after.slice(after.indexOf(":stay"));
    expect(end).toMatch(/if not "%~2"=="" exit \/b %ended%\n[\s\S]*pause\nexit \/b %ended%\s*$/);
    // Without `call`, the exit code is that of the other file.
    expect(text("start.cmd")).toMatch(/\n"%~dp0web-bridge\.cmd" start %\*\n$/);
  });
});
