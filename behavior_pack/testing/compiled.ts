import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "@jest/globals";
import { createSimulator, type Player, type Simulator } from "../../lab/simulator/simulator.ts";
import type { SimulatorOptions } from "../../lab/simulator/types.ts";
import { PACK } from "../../test/helpers/bridge.ts";
import { FakeSidecar } from "./fake-sidecar.ts";

// Own connections: plays the sidecar for the pack.

/** Source of the built pack. */
export const compiledPack = (): string => readFileSync(PACK, "utf8");

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

/** Starts the compiled pack in a simulated game, with a fake sidecar over HTTP. It ends with its test. */
export async function startCompiledPack(options: Partial<SimulatorOptions> = {}): Promise<CompiledPack> {
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
  const sim = await createSimulator({
    pack: PACK,
    variables: { "bridge-url": `http://127.0.0.1:${port}/` },
    secrets: { "bridge-token": "very-secret" },
    ...options,
  });
  open.push(async () => {
    sim.dispose();
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
  return {
    sim,
    sidecar,
    tokens,
    lines: () => sim.console.map(({ line }) => line),
    async join(name) {
      const player = sim.world.join(name);
      const names = (): string[] =>
        [...sidecar.of("joined").map(({ row }) => row), ...sidecar.rows()].map(row => row.player.name);
      await sim.until(() => names().includes(name));
      return player;
    },
  };
}
