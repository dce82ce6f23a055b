import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../dist/sidecar/main.js", import.meta.url));

/** The built sidecar in a process of its own, with its store in a folder; it comes back to the same ports. */
export class SidecarProcess {
  readonly #folder: string;
  readonly #env: Record<string, string>;
  #child: ChildProcess | undefined;
  /** addresses of the listeners by name, known after the first start */
  readonly urls = { public: "", bridge: "" };

  constructor(folder: string, env: Record<string, string>) {
    this.#folder = folder;
    this.#env = env;
  }

  /** Starts it and waits until both listeners accept connections. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM, "--config", "config.yml"], {
      cwd: this.#folder,
      env: {
        ...process.env,
        WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1",
        WEB_BRIDGE_MODULES_API_PORT: portOf(this.urls.public),
        WEB_BRIDGE_BRIDGE_PORT: portOf(this.urls.bridge),
        WEB_BRIDGE_LOG_FORMAT: "json",
        ...this.#env,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    const listening = new Set<string>();
    for await (const line of createInterface({ input: child.stdout })) {
      const { listener, url } = JSON.parse(line) as { listener?: "public" | "bridge"; url?: string };
      if (listener === undefined || url === undefined) continue;
      this.urls[listener] = url;
      listening.add(listener);
      if (listening.size === 2) break;
    }
    if (listening.size < 2) throw new Error("the sidecar ended before it listened");
    child.stdout.resume();
  }

  /** Asks it to stop, waits until it has, and returns its exit code and the milliseconds that it took. */
  async terminate(): Promise<{ code: number | null; ms: number }> {
    const child = this.#child;
    if (!child) throw new Error("the sidecar is down");
    const begun = performance.now();
    child.kill("SIGTERM");
    const [code] = (await once(child, "exit")) as [number | null];
    return { code, ms: performance.now() - begun };
  }

  /** Ends it as a crash or the power does. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

const portOf = (url: string): string => (url === "" ? "0" : new URL(url).port);
