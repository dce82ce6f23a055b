import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "@jest/globals";
import { linuxProcesses } from "../../owner/prove/processes.ts";
import { eventually } from "../helpers/runner.ts";
import { timesOf, treeOf } from "../helpers/server-setup.ts";
import { fakeServer } from "./fake-server.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/tools/prove.js", import.meta.url));
const KILLS = 50;
/** By then the game is started for the second time, with the pack and the sidecar beside it. */
const WITHIN_MS = 6_000;
/** One that runs in a network of its own ends by itself when whoever started it is killed. */
const TRIES = 50;

const work = mkdtempSync(join(tmpdir(), "killed "));

function prove(server: string): { child: ChildProcess; ended: Promise<unknown> } {
  const args = [PROGRAM, "--server", server, "--yes", "--work", work, "--out", work];
  const child = spawn(process.execPath, args, { stdio: "ignore" });
  return { child, ended: once(child, "exit") };
}

it(
  "a trial that is killed at fifty random moments has changed nothing, and the next one clears up after it",
  async () => {
    const server = await fakeServer();
    const before = { tree: treeOf(server), times: timesOf(server) };
    let left = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = prove(server);
      await Promise.race([sleep(WITHIN_MS * Math.random()), ended]);
      child.kill("SIGKILL");
      await ended;
      left += readdirSync(work).length;
      for (let tries = TRIES; tries > 0; tries--) {
        // It ends as soon as it has cleared up, since there is no such folder.
        await prove(join(work, "none")).ended;
        if (readdirSync(work).length === 0) break;
      }
      expect({ kill, left: readdirSync(work) }).toEqual({ kill, left: [] });
      // The system takes a moment to end what has been killed.
      await eventually(async () => expect(await linuxProcesses.within(work)).toEqual([]));
      expect({ tree: treeOf(server), times: timesOf(server) }).toEqual(before);
    }
    expect(left).toBeGreaterThan(KILLS / 4);
  },
  15 * 60_000,
);
