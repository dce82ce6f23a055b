import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, it } from "@jest/globals";
import { newFolder } from "../test/helpers/folder.ts";
import { needs } from "../test/helpers/needs.ts";

const SCRIPTS = fileURLToPath(new URL(".", import.meta.url));

/** An npm that installs this Node for the platform of the lock file. */
const npmWith = (node: string): string => `
  import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const [path, { bin, integrity }] = Object.entries(packages).find(([, { os }]) => os === "linux");
  if (!process.argv.includes("--ignore-scripts") || !integrity.startsWith("sha512-")) process.exit(9);
  mkdirSync(path + "/bin", { recursive: true });
  writeFileSync(path + "/" + bin.node, ${JSON.stringify(node)}, { mode: 0o755 });`;

const NODE = `#!/bin/sh
[ "$1" = --version ] && exit 0
echo "ran $*"; echo "PATH $PATH"; exit 7
`;

needs("a shell, not Windows", process.platform !== "win32").describe("on a Node that is too old", () => {
  let root: string;
  beforeEach(() => {
    root = newFolder("old-node-");
    mkdirSync(join(root, "npm"));
    for (const name of ["bootstrap.mjs", "least-node.mjs", "newer-node.mjs", "paths.mjs", "run.mjs", "node"])
      cpSync(join(SCRIPTS, name), join(root, "scripts", name), { recursive: true });
    writeFileSync(join(root, "package.json"), JSON.stringify({ engines: { node: ">=999.1.0" } }));
    writeFileSync(join(root, "npm/package.json"), '{ "type": "module" }');
  });

  const run = (npm: string, task: string) => {
    const cli = join(root, "npm/npm-cli.js");
    writeFileSync(cli, npm);
    return spawnSync(process.execPath, [join(root, "scripts/bootstrap.mjs"), task], {
      env: { ...process.env, npm_execpath: cli },
      encoding: "utf8",
    });
  };
  const own = `Node 999.1 or later is required, but this is Node ${process.versions.node}`;

  it("a task runs with one from the registry, which is downloaded once, and first in the PATH", () => {
    const { status, stdout, stderr } = run(npmWith(NODE), "demo");
    const runs = `${own}: using the one in .node\n`;
    expect(stderr).toBe(`${own}: downloading Node 24 into .node, for this folder only ...\n${runs}`);
    const [, path = ""] = /^PATH (.*)$/m.exec(stdout) ?? [];
    const node = join(root, ".node/node_modules");
    expect(dirname(dirname(path.split(delimiter)[0] ?? ""))).toContain(node);
    expect(stdout).toContain(`ran ${join(root, "scripts/bootstrap.mjs")} demo\n`);
    expect(status).toBe(7);
    const again = run("process.exit(1)", "demo");
    expect([again.status, again.stdout, again.stderr]).toEqual([7, stdout, runs]);
  });

  it.each([
    ["npm has none, and says why", 'console.error("npm error 404"); process.exit(1);', "npm error 404\n"],
    ["it does not start", npmWith("#!/bin/sh\nexit 127\n"), ""],
  ])("says what to do if %s", (_what, npm, why) => {
    const { status, stdout, stderr } = run(npm, "test");
    const last = `${own}, and a newer one could not be downloaded. Install Node 999.1 or later: https://nodejs.org\n`;
    expect(stderr.endsWith(why + last)).toBe(true);
    expect([status, stdout]).toEqual([1, "0 passed, 1 failed\n"]);
  });
});
