import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { createSimulator, type Simulator } from "../../simulator/simulator.ts";
import type { SimulatorOptions } from "../../simulator/types.ts";
import { FakeSidecar } from "./harness.ts";

let bundled: Promise<string> | undefined;

/** Text of the pack as one module. */
export function compiledPack(): Promise<string> {
  bundled ??= (async () => {
    const bundle = await rolldown({
      input: fileURLToPath(new URL("../../behavior_pack/main.ts", import.meta.url)),
      external: [/^@minecraft\//],
      platform: "neutral",
    });
    const { output } = await bundle.generate({ format: "esm", comments: false });
    await bundle.close();
    return output[0].code;
  })();
  return bundled;
}

export interface Stage {
  sim: Simulator;
  sidecar: FakeSidecar;
  /** authorization of every request */
  tokens: Set<string | undefined>;
  lines(): string[];
  close(): Promise<void>;
}

/** The compiled pack in a simulated game, with a sidecar that answers over HTTP. */
export async function stage(options: Partial<SimulatorOptions> = {}): Promise<Stage> {
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
    pack: await compiledPack(),
    variables: { "bridge-url": `http://127.0.0.1:${port}/` },
    secrets: { "bridge-token": "very-secret" },
    ...options,
  });
  return {
    sim,
    sidecar,
    tokens,
    lines: () => sim.console.map(({ line }) => line),
    async close() {
      sim.dispose();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
