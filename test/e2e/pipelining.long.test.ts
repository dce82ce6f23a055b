import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, it } from "@jest/globals";
import { SidecarProcess } from "../../lab/chaos/sidecar-process.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { needs } from "../helpers/runner.ts";
import { PROGRAM, TOKEN } from "../helpers/sidecar.ts";

// Own connections: measures how long answers take.

const FLOOD = fileURLToPath(new URL("../helpers/flood.mjs", import.meta.url));
const ASKED = 40;
const P95_MS = 250;
/** How many times longer than without a flood, where that is more than the limit. */
const BUSY = 8;
/** A machine that has other things to do may slow one of them down, but hardly each. */
const TRIES = 4;

let folder: string;
let sidecar: SidecarProcess;
let flood: ChildProcess | undefined;
afterEach(() => {
  flood?.kill("SIGKILL");
});
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "pipelining-"));
  const interval = { WEB_BRIDGE_MODULES_API_METRICS_REFRESH_INTERVAL: "1h" };
  sidecar = new SidecarProcess(PROGRAM, folder, { WEB_BRIDGE_BRIDGE_TOKEN: TOKEN, ...interval });
  await sidecar.start();
  const pack = new FakePack(sidecar.urls.bridge);
  await pack.connect();
  await pack.snapshot("Steve");
});
afterAll(async () => {
  await sidecar.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Milliseconds that a visitor with a connection of its own waits for an answer. */
async function delay(path: string): Promise<number> {
  const begun = performance.now();
  const asked = request(`${sidecar.urls.public}${path}`, { agent: false }).end();
  const [answer] = await once(asked, "response");
  answer.resume();
  await once(answer, "end");
  return performance.now() - begun;
}

/** The delay that all but a twentieth of the visitors stay under. */
async function p95(): Promise<number> {
  const delays: number[] = [];
  await delay("/healthz");
  for (let i = 0; i < ASKED; i++) delays.push(await delay(i % 2 === 0 ? "/healthz" : "/status"));
  return delays.sort((a, b) => a - b)[Math.floor(ASKED * 0.95)] ?? Number.POSITIVE_INFINITY;
}

/** The same while so many connections of one address flood, in the best of some tries where it is more than this. */
async function p95During(connections: number, text: string, most: number): Promise<number> {
  const port = new URL(sidecar.urls.public).port;
  flood = spawn(process.execPath, [FLOOD, port, `${connections}`, text]);
  if (!flood.stdout) throw new Error("no output");
  await once(flood.stdout, "data");
  flood.stdout.resume();
  let least = Number.POSITIVE_INFINITY;
  for (let once = 0; once < TRIES && least >= most; once++) least = Math.min(least, await p95());
  return least;
}

// Elsewhere the loopback has one address.
const linux = needs("Linux", process.platform === "linux");

const asks = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

linux.describe("an address that pipelines as much as it can", () => {
  it.each([
    [1, "/status"],
    [10, "/status"],
    [1, "/initialize"],
    [10, "/initialize"],
    [50, "/status"],
  ])(
    "does not hold up others: on %i connections, of %s",
    async (connections, path) => {
      // What a machine that is busy with other things lets them wait anyway.
      const most = Math.max(P95_MS, BUSY * (await p95()));
      expect(await p95During(connections, asks(path), most)).toBeLessThan(most);
    },
    120_000,
  );
});
