import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, it } from "@jest/globals";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/runner.ts";

const SCRIPTS = fileURLToPath(new URL("../../scripts", import.meta.url));

/** An npm that installs this instead of the Node that the lock file asks for. */
const npmWith = (node: string): string => `
  import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
  const [path, { version, integrity }] = Object.entries(JSON.parse(readFileSync("package-lock.json", "utf8")).packages)[1];
  if (!process.argv.includes("--ignore-scripts") || !integrity.startsWith("sha512-")) process.exit(9);
  mkdirSync(path + "/bin", { recursive: true });
  writeFileSync(path + "/bin/node", ${JSON.stringify(node)}.replace("VERSION", "v" + version), { mode: 0o755 });`;

const NODE = `#!/bin/sh
[ "$1" = --version ] && echo VERSION && exit 0
echo "ran $*"; echo "PATH $PATH"; echo "NODE $NODE"; exit 7
`;

needs("a shell, not Windows", process.platform !== "win32").describe("on a Node that is too old", () => {
  let root: string;
  beforeEach(() => {
    root = newFolder("old-node-");
    mkdirSync(join(root, "npm"));
    for (const name of ["bootstrap", "least-node", "newer-node", "paths", "run"])
      cpSync(join(SCRIPTS, `${name}.mjs`), join(root, "scripts", `${name}.mjs`));
    writeFileSync(join(root, "package.json"), JSON.stringify({ engines: { node: ">=999.1.0" } }));
  });

  const run = (npm: string | undefined, task: string, ...options: string[]) => {
    const cli = join(root, "npm/npm-cli.js");
    writeFileSync(join(root, "npm/package.json"), '{ "type": "module" }');
    if (npm === undefined) rmSync(cli);
    else writeFileSync(cli, npm);
    return spawnSync(process.execPath, [...options, join(root, "scripts/bootstrap.mjs"), task], {
      env: { ...process.env, npm_execpath: cli },
      encoding: "utf8",
    });
  };
  const own = `Node 999.1 or later is needed, and this is Node ${process.versions.node}: `;

  it("a task runs with one from the registry, which is fetched once, and first in the PATH", () => {
    const { status, stdout, stderr } = run(npmWith(NODE), "demo");
    expect(stderr).toMatch(
      /: getting Node \d+\.\d+\.\d+ from the registry into \.node, for this folder alone \.\.\.\n$/,
    );
    expect(stderr.startsWith(own)).toBe(true);
    const node = /^NODE (.*)$/m.exec(stdout)?.[1] ?? "";
    expect(stdout).toContain(
      `ran ${join(root, "scripts/bootstrap.mjs")} demo\nPATH ${dirname(node)}${delimiter}`,
    );
    expect(status).toBe(7);
    const again = run(undefined, "demo");
    expect([again.status, again.stdout]).toEqual([7, stdout]);
    expect(again.stderr).toMatch(/: running with Node \d+\.\d+\.\d+ in \.node\n$/);
  });

  it.each([
    [
      "npm's words",
      'console.error("npm error code E404\\nnpm error 404 Not Found"); process.exit(1);',
      /does not give [\w-]+@\d\S+ \(404 Not Found\)/,
    ],
    [
      "what keeps it from starting",
      npmWith('#!/bin/sh\necho "libx.so.1: cannot open" >&2; exit 127\n'),
      /node does not start \(libx\.so\.1: cannot open\)/,
    ],
  ])("says in one line that there is none, with %s", (_what, npm, why) => {
    const { status, stdout, stderr } = run(npm, "test");
    const last = stderr.trimEnd().split("\n").at(-1) ?? "";
    expect(stderr.trimEnd().split("\n")).toHaveLength(2);
    expect(last.startsWith(own)).toBe(true);
    expect(last).toMatch(why);
    expect(last).toMatch(/\. Install Node 999\.1 or later: https:\/\/nodejs\.org$/);
    expect([status, stdout]).toEqual([1, "0 passed, 1 failed\n"]);
  });

  it("says so on a platform that the registry has none for", () => {
    const arch = 'data:text/javascript,Object.defineProperty(process, "arch", { value: "mips" })';
    const { status, stderr } = run(npmWith(NODE), "demo", "--import", arch);
    expect(stderr).toContain(`${own}the registry has none for ${process.platform}-mips. Install`);
    expect([status, stderr.split("\n").length]).toEqual([1, 2]);
  });
});
