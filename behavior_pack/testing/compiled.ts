import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "@jest/globals";
import { createLaunchedGame } from "../../lab/console-link/launched-game.ts";
import { createSimulator, type Player, type Simulator } from "../../lab/simulator/simulator.ts";
import type { SimulatorOptions } from "../../lab/simulator/types.ts";
import { PACK, STABLE_PACK } from "../../test/helpers/bridge.ts";
import { ManualClock } from "../../test/helpers/clock.ts";
import { FakeSidecar } from "./fake-sidecar.ts";

// Own connections: plays the sidecar for the pack.

const TICK_MS = 50;

/** Source of a built pack. */
export const compiledPack = (path = PACK): string => readFileSync(path, "utf8");

export interface CompiledPack {
  sim: Simulator;
  sidecar: FakeSidecar;
  /** authorization of every request */
  tokens: Set<string | undefined>;
  lines(): string[];
  /** Lets a player join, and waits until the sidecar has the report. */
  join(name: string): Promise<Player>;
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Lines that report an error. */
export const faults = (lines: string[]): string[] =>
  lines.filter(line => /(?<!de)fault|error|not simulated/i.test(line));

interface ServedSidecar {
  sidecar: FakeSidecar;
  /** authorization of every request */
  tokens: Set<string | undefined>;
  url: string;
  stop(): Promise<void>;
}

/** A fake sidecar over HTTP. */
async function serveSidecar(): Promise<ServedSidecar> {
  const sidecar = new FakeSidecar();
  const tokens = new Set<string | undefined>();
  const server = createServer((request, response) => {
    tokens.add(request.headers.authorization);
    const chunks: Buffer[] = [];
    request.on("data", chunk => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      sidecar.endpoint.post(request.url ?? "", body, 0).then(
        answer => response.writeHead(answer.status).end(answer.body),
        () => response.destroy(),
      );
    });
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    sidecar,
    tokens,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** Whether the sidecar knows that a player is online. */
const isListed = (sidecar: FakeSidecar, name: string): boolean =>
  [...sidecar.of("joined").map(({ row }) => row), ...sidecar.rows()].some(row => row.player.name === name);

/** Starts the compiled pack in a simulated game, with a fake sidecar over HTTP. It ends with its test. */
export async function startCompiledPack(options: Partial<SimulatorOptions> = {}): Promise<CompiledPack> {
  const { sidecar, tokens, url, stop } = await serveSidecar();
  const sim = await createSimulator({
    pack: PACK,
    variables: { "bridge-url": `${url}/` },
    secrets: { "bridge-token": "very-secret" },
    ...options,
  });
  open.push(async () => {
    sim.dispose();
    await stop();
  });
  return {
    sim,
    sidecar,
    tokens,
    lines: () => sim.console.map(({ line }) => line),
    async join(name) {
      const player = sim.world.join(name);
      await sim.until(() => isListed(sidecar, name));
      return player;
    },
  };
}

/** Ticks until `until` gives up: two minutes of game time. */
const MAX_TICKS = 2_400;

export interface StablePack extends CompiledPack {
  /** everything that launch prints: what the game prints without the console link, and its own lines */
  printed(): string;
  tick(count?: number): Promise<void>;
  until(condition: () => boolean): Promise<void>;
}

/**
 * Starts the compiled pack that keeps achievements in a simulated game, whose console launch reads and types on, with a fake sidecar.
 * It ends with its test, which fails if a part of the link was printed.
 */
export async function startStablePack(options: Partial<SimulatorOptions> = {}): Promise<StablePack> {
  const clock = new ManualClock();
  const { sidecar, tokens, url, stop } = await serveSidecar();
  let printed = "";
  const { simulator, end, expectHidden } = await createLaunchedGame({
    pack: STABLE_PACK,
    bridge: { url, token: "very-secret" },
    clock,
    print(text) {
      printed += text;
    },
    ...options,
  });
  open.push(async () => {
    end();
    simulator.dispose();
    await stop();
    expectHidden();
  });
  async function tick(count = 1): Promise<void> {
    for (let i = 0; i < count; i++) {
      clock.advance(TICK_MS);
      await simulator.tick();
    }
  }
  async function until(condition: () => boolean): Promise<void> {
    for (let i = 0; !condition(); i++) {
      if (i > MAX_TICKS) throw new Error(`still waiting; the console: ${printed}`);
      await tick();
    }
  }
  return {
    sim: simulator,
    sidecar,
    tokens,
    tick,
    until,
    printed: () => printed,
    lines: () => simulator.console.map(({ line }) => line),
    async join(name) {
      const player = simulator.world.join(name);
      await until(() => isListed(sidecar, name));
      return player;
    },
  };
}
