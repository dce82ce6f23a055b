import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SidecarProcess } from "../chaos/sidecar-process.ts";
import { UNLIMITED } from "../scale/unlimited.ts";
import { startCompanion } from "./companion.ts";

export const ADMIN_KEY = "admin-key-of-the-fuzzer-0123456789";
export const TOKEN = "token-of-the-fuzzer-0123456789-0123456789";

export interface Service {
  publicPort: number;
  bridgePort: number;
  /** lines of its log that tell of a fault, and what it said on its error output */
  complaints: readonly string[];
  /** of the game that plays along */
  session(): string;
  /** undefined as long as it runs */
  exit(): string | undefined;
  stop(): Promise<void>;
}

/** The built sidecar in a process of its own, with a data folder that goes with it, and a game that plays along. */
export async function startService(program: string): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-fuzz-"));
  const sidecar = new SidecarProcess(program, folder, {
    WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: ADMIN_KEY,
    WEB_BRIDGE_BRIDGE_TOKEN: TOKEN,
    // What is looked for lies behind them.
    ...UNLIMITED,
  });
  const complaints: string[] = [];
  sidecar.onError = line => complaints.push(line);
  sidecar.onLine = text => {
    const { level, error, msg }: Record<string, unknown> = JSON.parse(text);
    // A connection that a fault has ended is a warning.
    if (level === "error" || error !== undefined) complaints.push(`${msg}: ${text}`);
  };
  const stop = async (): Promise<void> => {
    await sidecar.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await sidecar.start();
  } catch (error) {
    await stop();
    throw new Error([error, ...complaints].join("\n"));
  }
  const { urls } = sidecar;
  const [publicPort, bridgePort] = [urls.public, urls.bridge].map(url => Number(new URL(url).port));
  const companion = startCompanion(urls.bridge, TOKEN);
  return {
    ...{ publicPort: publicPort ?? 0, bridgePort: bridgePort ?? 0, complaints },
    session: companion.session,
    exit: () => sidecar.exit,
    async stop() {
      companion.leave();
      await stop();
    },
  };
}
