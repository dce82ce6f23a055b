import { randomInt } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { orElse } from "../../cli/errno.ts";
import { ask } from "../../test/helpers/client.ts";
import { eventually, until } from "../../test/helpers/eventually.ts";
import { newFolder } from "../../test/helpers/folder.ts";
import { isRunning, launch, onLinux, ownSidecar, treeOf } from "./testing/launched.ts";

const TERMINALS = [
  ["a terminal", true],
  ["a pipe", false],
] as const;

/** A program that runs a script of sh with a file in `$0`, and does not handle signals itself. */
function shellGame(script: string): { folder: string; gameArgs: string[]; file: string } {
  const folder = newFolder("shell-");
  mkdirSync(join(folder, "worlds"));
  copyFileSync(realpathSync("/bin/sh"), join(folder, "bedrock_server"));
  const file = join(newFolder("file-"), "file");
  return { folder, gameArgs: ["-c", script, file], file };
}

onLinux.describe("SIGKILL", () => {
  it.each(TERMINALS)(
    "of launch ends the sidecar and leaves a game with %s to the system",
    async (_, terminal) => {
      const { args, env } = ownSidecar();
      const launched = launch({ args, env, game: ["say ready", "rate 1000 2", "mark"], terminal });
      const { api } = await launched.urls();
      launched.child.kill("SIGKILL");
      expect(await launched.ended).toBe(137);
      await until(() => launched.pids("sidecar").length === 0);
      await expect(ask(api, "/healthz")).rejects.toThrow();
      await until(() => launched.report().isMarked);
      const { pid } = launched.report();
      expect(isRunning(pid)).toBe(true);
      const next = launch({ folder: launched.folder });
      expect(await next.ended).toBe(2);
      expect(next.errors).toContain(`already running (process ${pid})`);
    },
  );

  it.each(TERMINALS)("of launch does not end a game with %s that keeps printing", async (_, terminal) => {
    const counting = 'i=0; while :; do i=$((i+1)); echo "tick $i"; echo $i > "$0"; done 2> /dev/null';
    const { file, ...game } = shellGame(counting);
    const count = (): number => Number(readFileSync(file, "utf8"));
    const launched = launch({ ...game, terminal });
    await launched.prints("tick 10\n");
    launched.child.kill("SIGKILL");
    await launched.ended;
    const before = count();
    await eventually(() => expect(count()).toBeGreaterThan(before + 1_000));
  });

  it.each(TERMINALS)("of a game with %s ends launch and the sidecar", async (_, terminal) => {
    const { args, env } = ownSidecar();
    const launched = launch({ args, env, game: ["say ready"], terminal });
    await launched.urls();
    process.kill(await launched.pid("game"), "SIGKILL");
    expect(await launched.ended).toBe(137);
    await launched.says("[launch] The game server ended (exit code 137)");
    await launched.says('"msg":"Stopped"');
    expect(launched.pids("sidecar")).toEqual([]);
  });

  const seed = randomInt(2 ** 31);
  describe(`at random moments, seed ${seed}`, () => {
    let state = seed;
    const random = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    /** The longest time from the start of the game to the signal, in milliseconds: the sidecar has started by then. */
    const LATEST_MS = 1_500;
    const ROUNDS = 17;
    const AT_ONCE = 4;

    it.each(["launch", "game", "sidecar"] as const)(`${ROUNDS} times of %s`, async victim => {
      const delays = Array.from({ length: ROUNDS }, () => random(LATEST_MS));
      const one = async (delayMs: number): Promise<void> => {
        const { args, env } = ownSidecar();
        const launched = launch({ args, env, game: ["say ready"], terminal: delayMs % 2 === 0 });
        await eventually(() => launched.report());
        const game = await launched.pid("game");
        const pid = victim === "launch" ? launched.child.pid : await launched.pid(victim);
        await wait(delayMs);
        process.kill(pid ?? 0, "SIGKILL");
        if (victim === "launch") {
          await until(() => launched.pids("sidecar").length === 0);
          expect(isRunning(game)).toBe(true);
          return await launched.killAll();
        }
        if (victim === "sidecar") {
          launched.type("say alive\nexit 7\n");
          await launched.prints("alive\n");
        }
        expect(await launched.ended).toBe(victim === "game" ? 137 : 7);
        await until(() => launched.pids("sidecar").length === 0);
      };
      const rest = [...delays];
      const lane = async (): Promise<void> => {
        for (let delay = rest.pop(); delay !== undefined; delay = rest.pop()) await one(delay);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
    });
  });
});

onLinux.describe("SIGTERM", () => {
  it.each(TERMINALS)(
    "to all processes, as at a shutdown of the machine, lets a game with %s save",
    async (_, terminal) => {
      const saving = 'echo ready; while read -r line && [ "$line" != stop ]; do :; done; echo "$line" > "$0"';
      const { file, ...game } = shellGame(saving);
      const launched = launch({ ...game, terminal });
      await launched.prints("ready");
      // One may end with another.
      for (const pid of treeOf(launched.child.pid ?? 0)) orElse(() => process.kill(pid, "SIGTERM"), false);
      expect([await launched.ended, readFileSync(file, "utf8")]).toEqual([0, "stop\n"]);
    },
  );
});
