import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { ask } from "../../test/helpers/client.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { needs } from "../../test/helpers/needs.ts";
import { IS_BUILT, ROOT } from "../../test/package/packages.ts";

const SECRETS = {
  WEB_BRIDGE_BRIDGE_TOKEN: "s3cret-of-the-bridge-0123456789abcdef",
  WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: "s3cret-of-the-whitelist-0123456789",
  WEB_BRIDGE_WEBHOOKS: JSON.stringify([
    {
      url: "https://192.0.2.1/s3cret-of-a-hook",
      events: ["chat"],
      format: "standard",
      secret: `whsec_${Buffer.from("s3cret-of-the-webhook-00").toString("base64")}`,
    },
  ]),
};

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "log "));
});
afterEach(async () => {
  if (child?.exitCode === null) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the program with its output in this descriptor. */
function start(
  out: number | "pipe",
  env: NodeJS.ProcessEnv,
  err: "inherit" | "pipe" = "inherit",
): ChildProcess {
  const ports = {
    WEB_BRIDGE_CONFIG: join(folder, "config.yml"),
    WEB_BRIDGE_MODULES_API_PORT: "0",
    WEB_BRIDGE_BRIDGE_PORT: "0",
  };
  child = spawn(process.execPath, [join(ROOT, "dist/sidecar/main.js")], {
    cwd: folder,
    env: { PATH: process.env.PATH, FORCE_COLOR: "1", WEB_BRIDGE_LOG_LEVEL: "debug", ...ports, ...env },
    stdio: ["ignore", out, err],
  });
  return child;
}

/** Starts it and waits for its last line of the start; ends it in order. */
async function lines(out: number, written: () => string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const program = start(out, env);
  await eventually(() =>
    expect([program.exitCode, written()]).toEqual([null, expect.stringContaining("bridge listener at")]),
  );
  const ended = once(program, "exit");
  program.kill("SIGTERM");
  await ended;
  await eventually(() => expect(written()).toContain("Stopped"));
  return written().trimEnd().split("\n");
}

const PRETTY = /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] (DEBUG|INFO|WARN|ERROR): /;

needs("npm run build, not Windows", IS_BUILT && process.platform !== "win32").describe(
  "the log of the program",
  () => {
    it("is for people, without colours and secrets, in a file", async () => {
      const path = join(folder, "web-bridge.log");
      const out = openSync(path, "w");
      const all = await lines(out, () => readFileSync(path, "utf8"), SECRETS);
      closeSync(out);
      expect(all.length).toBeGreaterThan(4);
      for (const line of all) expect(line).toMatch(PRETTY);
      expect(all.join("")).not.toContain("\u001b");
      expect(all.join("")).not.toContain("s3cret");
    });

    it("logs an uncaught exception on one line", async () => {
      const fault = "setTimeout(() => { throw new Error('a\\nb') }, 100)";
      const preload = `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => ${fault})`)}`;
      const program = start("pipe", { NODE_OPTIONS: preload }, "pipe");
      let [out, err] = ["", ""];
      program.stdout?.on("data", part => (out += part));
      program.stderr?.on("data", part => (err += part));
      await eventually(() => expect(out).toContain("bridge listener at"));
      const ended = once(program, "close");
      program.kill("SIGUSR2");
      expect(await ended).toEqual([1, null]);
      expect(err).toBe("");
      const last = out.trimEnd().split("\n").at(-1);
      expect(last).toContain("Uncaught exception, exiting");
      expect(last).toMatch(/Error: a\\nb\\n.*data:text/);
    });

    it("may lose its reader: the sidecar serves on, and stops in order", async () => {
      const program = start("pipe", { WEB_BRIDGE_LOG_FORMAT: "json" }, "pipe");
      let out = "";
      program.stdout?.on("data", part => (out += part));
      await eventually(() => expect(out).toContain("bridge listener at"));
      const port = /public listener at http:[\d./]*:(\d+)/.exec(out)?.[1];
      program.stdout?.destroy();
      program.stderr?.destroy();
      for (let i = 0; i < 3; i++) {
        // It reads the keys again, and logs that.
        program.kill("SIGHUP");
        expect((await ask(`http://127.0.0.1:${port}`, "/healthz")).status).toBe(200);
      }
      const ended = once(program, "exit");
      program.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
    });

    it("is for people in the journal of systemd", async () => {
      const path = join(folder, "journal");
      execFileSync("mkfifo", [path]);
      const { dev, ino } = statSync(path);
      // One handle for each end: opening one end of a pipe waits for the other.
      const seen = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const out = openSync(path, "w");
      let text = "";
      const read = (): string => {
        const part = Buffer.alloc(64 * 1024);
        try {
          text += part.toString("utf8", 0, readSync(seen, part));
        } catch {
          // The pipe is empty at the moment.
        }
        return text;
      };
      const all = await lines(out, read, { JOURNAL_STREAM: `${dev}:${ino}` });
      closeSync(out);
      for (const line of all) expect(line).toMatch(PRETTY);
    });
  },
);
