import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { freePort } from "../../cli/free-port.ts";
import { putStandIn } from "../../lab/stand-in/put.ts";
import { tarGz } from "../../scripts/archives.mjs";
import { sidecarFiles } from "../../scripts/package.mjs";
import { ended } from "../helpers/ended.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { Bench } from "../helpers/server-setup.ts";
import { IS_BUILT, SIDECAR, VERSION } from "../package/packages.ts";
import { archives, blocks, linesUnder, text } from "./pages.ts";

// Blocks of docs/install.md: install-it sh, install-it text, start-them-separately sh
// Blocks of README.md: install-it sh
// Blocks of docs/launch.md: start-both-with-one-command sh

const page = text("docs/install.md");
const own = blocks("docs/install.md").filter(({ heading }) => heading === "install-it");
const [both = "", doctor = ""] = linesUnder("docs/install.md", "install-it", "sh");
const [setup = ""] = linesUnder("docs/install.md", "start-them-separately", "sh");
/** The text block that starts with this. */
const examples = (start: string): string[] =>
  own.find(({ text: block }) => block.startsWith(start))?.text.split("\n") ?? [];
needs("Linux, npm run build", process.platform === "linux" && IS_BUILT).describe(
  "the downloaded archive",
  () => {
    const bench = new Bench();
    const folder = newFolder("one evening ");
    const unpacked = join(folder, "web-bridge");
    let sidecar: ChildProcess | undefined;
    // The default ports may be in use on this machine.
    let ports: Record<"WEB_BRIDGE_MODULES_API_PORT" | "WEB_BRIDGE_BRIDGE_PORT", string>;

    beforeAll(async () => {
      ports = {
        WEB_BRIDGE_MODULES_API_PORT: `${await freePort()}`,
        WEB_BRIDGE_BRIDGE_PORT: `${await freePort()}`,
      };
      bench.levelName = "Bedrock level";
      await bench.make();
      writeFileSync(join(folder, SIDECAR), await tarGz(sidecarFiles(VERSION)));
    });
    afterAll(() => ended(sidecar));

    /** Runs a line of the page for the game server of this test. */
    function run(line: string, cwd: string): { status: number | null; out: string } {
      const given = line.replace(/"\/srv\/[^"]+"/, () => `'${bench.server}'`);
      const env = { ...process.env, NODE: process.execPath, ...ports };
      const { status, stdout, stderr } = spawnSync("sh", ["-c", given], { cwd, env, encoding: "utf8" });
      return { status, out: (stdout + stderr).replaceAll(`:${ports.WEB_BRIDGE_BRIDGE_PORT}`, ":8081") };
    }

    it("are the steps of the first page, which shows them without their output", () => {
      const first = linesUnder("README.md", "install-it", "sh").filter(line => !line.startsWith("cd "));
      const [, unpack = ""] = /On Linux: `(tar [^`]+)`/.exec(page) ?? [];
      expect(first).toEqual([unpack, both, doctor]);
      expect(linesUnder("docs/launch.md", "start-both-with-one-command", "sh")).toEqual([both]);
    });

    it("unpacks into the named folder", () => {
      expect(archives(VERSION)).toContain(SIDECAR);
      const [, line = ""] = /On Linux: `(tar [^`]+)`/.exec(page) ?? [];
      expect(run(line, folder)).toEqual({ status: 0, out: "" });
      expect(readdirSync(folder).sort()).toEqual(["web-bridge", SIDECAR].sort());
    });

    it("installs the pack with the line shown, with the changes shown", () => {
      const { status, out } = run(`${setup} --dry-run`, unpacked);
      expect([status, out]).toEqual([0, expect.stringContaining("Changes:")]);
      let at = 0;
      for (const line of examples("Changes:")) {
        const found = out.indexOf(`${line}\n`, at);
        expect([line, found < at && out]).toEqual([line, false]);
        at = found;
      }
      expect(run(`${setup} --yes`, unpacked).status).toBe(0);
    });

    it("starts as described, and logs its addresses; the files to back up exist then", async () => {
      const [, starter = ""] = /start the sidecar, `([^`]+)` on Linux/.exec(page) ?? [];
      const env = {
        ...process.env,
        NODE: process.execPath,
        WEB_BRIDGE_LOG_FORMAT: "pretty",
        // Has the line of a machine where the tests run in a container too.
        WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1",
        WEB_BRIDGE_MODULES_API_PORT: "0",
        WEB_BRIDGE_BRIDGE_PORT: "0",
      };
      sidecar = spawn(starter, { cwd: unpacked, env, stdio: ["ignore", "pipe", "inherit"] });
      const said: string[] = [];
      if (!sidecar.stdout) throw new Error("no output");
      const plain = (line: string): string =>
        line
          .replace("0.0.0.0", "127.0.0.1")
          .replace(/:\d+(?=$|\/)/, ":port")
          .replace(/, or from .*/, "");
      for await (const line of createInterface({ input: sidecar.stdout })) {
        said.push(plain(line.replace(/^\[[\d: -]+\] /, "").replace(/ \{.*\}$/, "")));
        if (line.includes("Open http")) break;
      }
      expect(said).toEqual(expect.arrayContaining(examples("INFO: Open").map(plain)));
      const backup = /^\| a backup \| (.*) \|$/m.exec(text("docs/day-by-day.md"))?.[1] ?? "";
      for (const name of ["config.yml", "data/links.db", "data/bridge-token", "data/feed.db"]) {
        expect([name, existsSync(join(unpacked, name))]).toEqual([name, true]);
        expect(backup).toContain(`\`${name.replace("data/", "")}\``);
      }
    });

    it("runs the doctor with the line shown, and the result says what to do next", () => {
      const { status, out } = run(doctor, unpacked);
      expect(status).toBe(1);
      expect(out).toMatch(/^ {4}run: \.\/start\.sh$/m);
      expect(out).toContain("is a server folder");
      expect(out).not.toContain("the behavior pack is not in");
    });

    it("starts both with one line, until stop on the console", async () => {
      await ended(sidecar);
      putStandIn(bench.server);
      const given = both.replace(/"\/srv\/[^"]+"/, () => `'${bench.server}'`);
      const env = { ...process.env, NODE: process.execPath, ...ports };
      sidecar = spawn("sh", ["-c", `exec ${given}`], { cwd: unpacked, env, stdio: ["pipe", "pipe", "pipe"] });
      const { stdin, stdout, stderr } = sidecar;
      if (!stdin || !stdout || !stderr) throw new Error("no streams");
      stderr.resume();
      const exited = once(sidecar, "exit");
      for await (const printed of createInterface({ input: stdout }))
        if (printed.includes("[web bridge] connected to the sidecar")) stdin.write("stop\n");
      expect(await exited).toEqual([0, null]);
    });
  },
);
