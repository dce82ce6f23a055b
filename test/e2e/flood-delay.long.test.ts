import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ask } from "../helpers/client.ts";
import { ownProcess } from "../helpers/own-process.ts";

const FLOODER = fileURLToPath(new URL("../helpers/flooder.mjs", import.meta.url));
const REQUESTS = 60;
/** Who asks them, each one after another. */
const ASKERS = 3;
/** A machine that has other things to do may slow one of them down, but hardly each. */
const TRIES = 4;
/** How many times longer than without a flood, where that is more than the limit. */
const BUSY = 8;

const own = ownProcess();
let flooder: ChildProcess | undefined;
beforeEach(() => own.start());
afterEach(() => void flooder?.kill("SIGKILL"));

/** The 95th percentile of the time that others wait for an answer, in milliseconds. */
async function waiting(): Promise<number> {
  const found: number[] = [];
  const asker = async (): Promise<void> => {
    for (let i = 0; i < REQUESTS / ASKERS; i++) {
      const asked = performance.now();
      await ask(own.urls.public, "/healthz");
      found.push(performance.now() - asked);
      // Asked without a pause, the requests themselves would be what others wait for.
      await pause(10);
    }
  };
  await Promise.all(Array.from({ length: ASKERS }, asker));
  return found.sort((a, b) => a - b)[Math.ceil(REQUESTS * 0.95) - 1] ?? Number.NaN;
}

// How long they wait on a quiet machine stands in the bench of strangers; here is what nobody would call held up.
describe.each([
  [4, 250],
  [40, 1_000],
])("%i sockets that send all they can", (sockets, mostMs) => {
  it.each([
    ["lines of chat", '{"type":"CHAT","content":"flood"}'],
    ["what is no message", "{"],
    ["PINGs", '{"type":"PING"}'],
    ["pings of the protocol", "ping"],
  ])("let nobody else wait, and are closed: %s", async (_what, text) => {
    // What a machine that is busy with other things lets them wait anyway.
    const most = Math.max(mostMs, BUSY * (await waiting()));
    const port = new URL(own.urls.public).port;
    const child = spawn(process.execPath, [FLOODER, port, `${sockets}`, text], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    flooder = child;
    await once(child.stdout, "data");
    child.stdout.resume();
    let least = Number.POSITIVE_INFINITY;
    for (let once = 0; once < TRIES && least > most; once++) least = Math.min(least, await waiting());
    expect(least).toBeLessThanOrEqual(most);
  });
});
