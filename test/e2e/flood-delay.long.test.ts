import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { FakePack } from "../helpers/fake-pack.ts";
import { frames } from "../helpers/flood.ts";
import { ownProcess } from "../helpers/own-process.ts";
import { upgrade } from "../helpers/resets.ts";
import { needs } from "../helpers/runner.ts";
import { bytesOf } from "../helpers/serving.ts";

// Own connections: measures how long answers take.

const FLOOD = fileURLToPath(new URL("../helpers/flood.mjs", import.meta.url));
const ASKED = 60;
/** Who asks, each one after another. */
const ASKERS = 3;
/** A machine that has other things to do may slow one of them down, but hardly each. */
const TRIES = 4;
/** How many times longer than without a flood, where that is more than the limit. */
const BUSY = 8;

const own = ownProcess();
let flooder: ChildProcess | undefined;
beforeEach(async () => {
  await own.start({ WEB_BRIDGE_MODULES_API_METRICS_REFRESH_INTERVAL: "1h" });
  const pack = new FakePack(own.urls.bridge);
  await pack.connect();
  await pack.snapshot("Steve");
});
afterEach(() => void flooder?.kill("SIGKILL"));

/** Milliseconds that a visitor waits for an answer, with a connection of its own each time unless there is an agent. */
async function delay(path: string, agent: Agent | false): Promise<number> {
  const begun = performance.now();
  const [answer] = await once(request(`${own.urls.public}${path}`, { agent }).end(), "response");
  answer.resume();
  await once(answer, "end");
  return performance.now() - begun;
}

/** The delay that all but a twentieth of the visitors stay under. */
async function p95(agent: Agent | false): Promise<number> {
  const found: number[] = [];
  const asker = async (): Promise<void> => {
    for (let i = 0; i < ASKED / ASKERS; i++) {
      found.push(await delay(i % 2 === 0 ? "/healthz" : "/status", agent));
      // Asked without a pause, the requests themselves would be what others wait for.
      await pause(10);
    }
  };
  await Promise.all(Array.from({ length: ASKERS }, asker));
  return found.sort((a, b) => a - b)[Math.ceil(ASKED * 0.95) - 1] ?? Number.NaN;
}

const CHAT = Buffer.from(upgrade("/chat", "Host: localhost"), "latin1");
/** On how many connections, how long others may wait in milliseconds, from where, and what is sent first and then over and over. */
type Sent = [connections: number, what: string, mostMs: number, from: string, first: Buffer, each: Buffer];
const chat = (what: string, text: string, opcode?: number): Sent[] => [
  [4, what, 250, "127.0.0.1", CHAT, frames(text, 1, opcode)],
  [40, what, 1_000, "127.0.0.1", CHAT, frames(text, 1, opcode)],
];
const requests = (path: string, ...connections: number[]): Sent[] =>
  connections.map(count => [
    count,
    path,
    250,
    "127.0.0.2",
    Buffer.alloc(0),
    Buffer.from(bytesOf(`GET ${path}`)),
  ]);

// Elsewhere the loopback has one address. How long others wait on a quiet machine stands in the bench of floods; here is what
// nobody would call held up.
needs("Linux", process.platform === "linux").describe("a stranger who sends all they can", () => {
  it.each([
    ...chat("lines of chat", '{"type":"CHAT","content":"flood"}'),
    ...chat("what is no message", "{"),
    ...chat("PINGs", '{"type":"PING"}'),
    ...chat("pings of the protocol", "", 0x89),
    ...requests("/status", 1, 10, 50),
    ...requests("/initialize", 1, 10),
  ])(
    "lets nobody else wait: on %i connections, %s",
    async (connections, _what, mostMs, from, first, each) => {
      // What a machine that is busy with other things lets them wait anyway.
      const agent = first.length > 0 && new Agent({ keepAlive: true });
      const most = Math.max(mostMs, BUSY * (await p95(agent)));
      const port = new URL(own.urls.public).port;
      const sent = [first, each].map(bytes => bytes.toString("base64"));
      const child = spawn(process.execPath, [FLOOD, port, `${connections}`, from, ...sent], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      flooder = child;
      await once(child.stdout, "data");
      child.stdout.resume();
      let least = Number.POSITIVE_INFINITY;
      for (let once = 0; once < TRIES && least > most; once++) least = Math.min(least, await p95(agent));
      if (agent) agent.destroy();
      expect(least).toBeLessThanOrEqual(most);
    },
  );
});
