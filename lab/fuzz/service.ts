import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SidecarProcess } from "../chaos/sidecar-process.ts";

export const ADMIN_KEY = "admin-key-of-the-fuzzer-0123456789";
export const TOKEN = "token-of-the-fuzzer-0123456789-0123456789";

/** Every limit out of the way: what is looked for lies behind them. */
const LIMITS = Object.fromEntries(
  [
    ...["REQUESTS_PER_MINUTE", "LINK_REQUESTS_PER_MINUTE", "LINK_REQUESTS_PER_MINUTE_PER_ADDRESS"],
    ...["MESSAGES_PER_MINUTE_PER_ADDRESS"],
  ].map(name => [`WEB_BRIDGE_MODULES_API_LIMITS_${name}`, "10000000"]),
);
const LINK_RATES = Object.fromEntries(
  ["PER_SECOND", "BURST"].map(name => [`WEB_BRIDGE_MODULES_API_LIMITS_LINK_REQUESTS_${name}`, "10000"]),
);

export interface Service {
  publicPort: number;
  bridgePort: number;
  /** lines of its log that tell of a fault, and what it said on its error output */
  complaints: readonly string[];
  /** undefined as long as it runs */
  exit(): string | undefined;
  stop(): Promise<void>;
}

/** The built sidecar in a process of its own, with a data folder that goes with it. */
export async function startService(program: string): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-fuzz-"));
  const sidecar = new SidecarProcess(program, folder, {
    WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: ADMIN_KEY,
    WEB_BRIDGE_BRIDGE_TOKEN: TOKEN,
    ...LIMITS,
    ...LINK_RATES,
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
  const portOf = (url: string): number => Number(new URL(url).port);
  const { urls } = sidecar;
  return {
    publicPort: portOf(urls.public),
    bridgePort: portOf(urls.bridge),
    complaints,
    exit: () => sidecar.exit,
    stop,
  };
}
