import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export const ADMIN_KEY = "admin-key-of-the-fuzzer-0123456789";
export const TOKEN = "token-of-the-fuzzer-0123456789-0123456789";

const START_MS = 15_000;

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
  const child = spawn(process.execPath, [program, "--config", join(folder, "config.yml")], {
    env: {
      ...process.env,
      WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1",
      WEB_BRIDGE_MODULES_API_PORT: "0",
      WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: ADMIN_KEY,
      WEB_BRIDGE_BRIDGE_PORT: "0",
      WEB_BRIDGE_BRIDGE_TOKEN: TOKEN,
      WEB_BRIDGE_LOG_FORMAT: "json",
      ...LIMITS,
      ...LINK_RATES,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const complaints: string[] = [];
  let exit: string | undefined;
  const ended = new Promise<void>(resolve =>
    child.once("exit", (code, signal) => {
      exit = `the sidecar has ended (${code ?? signal})`;
      rmSync(folder, { recursive: true, force: true });
      resolve();
    }),
  );
  createInterface({ input: child.stderr }).on("line", line => complaints.push(line));
  const ports = await new Promise<{ public: number; bridge: number }>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the sidecar did not listen in time")), START_MS);
    const found = new Map<unknown, number>();
    createInterface({ input: child.stdout }).on("line", text => {
      const { listener, url, level, error, msg }: Record<string, unknown> = JSON.parse(text);
      if (typeof url === "string") found.set(listener, Number(new URL(url).port));
      // A connection that a fault has ended is a warning.
      if (level === "error" || error !== undefined) complaints.push(`${msg}: ${text}`);
      const [open, bridge] = [found.get("public"), found.get("bridge")];
      if (open === undefined || bridge === undefined) return;
      clearTimeout(timer);
      resolve({ public: open, bridge });
    });
    void ended.then(() => reject(new Error(`${exit}: ${complaints.join("\n")}`)));
  });
  return {
    publicPort: ports.public,
    bridgePort: ports.bridge,
    complaints,
    exit: () => exit,
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
