import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { makeStandIn } from "../../lab/stand-in/put.ts";
import { sidecarFiles } from "../../scripts/package.mjs";
import { eventually, until } from "../helpers/eventually.ts";
import { eachInFolder, folder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { IS_BUILT, VERSION } from "../package/packages.ts";
import { findProgram, freePort, recipe } from "./front.ts";

// Own connections: requests /healthz of a sidecar in a container.

const egg = JSON.parse(recipe("pterodactyl/egg.json"));

/** How images of panels run the startup command in the container. */
const ENTRYPOINTS = {
  "evaluates the command": "eval $STARTUP",
  "splits the command into words": "exec env $STARTUP",
};

/** Questions of setup, with answers. */
const QUESTIONS: [string, string][] = [
  ["All features, or keep achievements? [A/k] ", "a"],
  ["Plain form or chest? [P/c] ", "p"],
  ["Show everyone the list? [y/N] ", "n"],
  ["Make these changes? [y/N, b = yes, but back up the world first] ", "y"],
];

const hasTools = ["bash", "script"].every(name => findProgram([name], "--version") !== undefined);

needs("npm run build, bash and script", IS_BUILT && hasTools).all(() => {
  describe.each(Object.entries(ENTRYPOINTS))("a panel whose image %s", (_how, entrypoint) => {
    eachInFolder("home container ");

    let container: ChildProcess | undefined;
    let screen = "";
    let port: number;
    let env: Record<string, string>;

    beforeEach(async () => {
      await makeStandIn(folder);
      const file = join(folder, "server.properties");
      const own = readFileSync(file, "utf8").replace(/^server-port=.*$/m, `server-port=${await freePort()}`);
      writeFileSync(file, own);
      for (const { path, content, executable } of sidecarFiles(VERSION)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
        if (executable === true) chmodSync(join(folder, path), 0o755);
      }
      port = await freePort();
      const defaults = egg.variables.map((each: Record<string, string>) => [
        each.env_variable,
        each.default_value,
      ]);
      env = {
        ...Object.fromEntries(defaults),
        WEB_BRIDGE_MODULES_API_PORT: `${port}`,
        WEB_BRIDGE_BRIDGE_PORT: `${await freePort()}`,
        STARTUP: egg.startup,
        PATH: process.env.PATH ?? "",
        NODE: process.execPath,
        SHELL: "/bin/bash",
      };
    });
    afterEach(() => void container?.kill("SIGKILL"));

    /** Starts the server in a terminal, as the panel does. */
    function start(): void {
      screen = "";
      const command = `stty -echo; cd "${folder}"; ${entrypoint}`;
      container = spawn("script", ["-qefc", command, "/dev/null"], {
        env,
        stdio: ["pipe", "pipe", "inherit"],
      });
      container.stdout?.on("data", part => (screen += part));
    }

    const type = (line: string): void => void container?.stdin?.write(`${line}\n`);
    const shows = (text: string): Promise<void> => until(() => screen.includes(text));
    /** Waits for a line of the add-on; setup quotes it without the game's time. */
    const connects = (): Promise<void> =>
      until(() => /^\[.+ \w+\] .*\[web bridge\] connected to the sidecar at /m.test(screen));

    async function stop(): Promise<number | null> {
      if (container === undefined) return null;
      const ended = once(container, "exit");
      type(egg.config.stop);
      const [code] = await ended;
      container = undefined;
      return code;
    }

    it("starts both with the startup command, offers setup once there is a world, and stops both", async () => {
      const { done } = JSON.parse(egg.config.startup);
      start();
      await shows("This game server has no world yet, and creates it now.");
      await shows(done);
      await eventually(async () =>
        expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200),
      );
      expect(await stop()).toBe(0);

      start();
      await shows("Setup has never been run on this game server. Run setup now? [Y/n] ");
      type("y");
      for (const [question, answer] of QUESTIONS) {
        await shows(question);
        type(answer);
      }
      await connects();
      expect(screen).toContain(done);
      expect(await stop()).toBe(0);

      start();
      await connects();
      expect(screen).not.toContain("Setup has never been run");
      expect(await stop()).toBe(0);
    });
  });
});
