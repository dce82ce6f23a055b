import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The sidecar of an unpacked archive, started as an owner does. */
export class UnpackedSidecar {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  readonly urls = { public: "", bridge: "" };

  /** @param env on Linux: where it finds its programs */
  constructor(folder: string, env: NodeJS.ProcessEnv = { PATH: process.env.PATH, NODE: process.execPath }) {
    this.#folder = folder;
    this.#env = env;
  }

  get token(): string {
    return readFileSync(join(this.#folder, "data/bridge-token"), "utf8").trim();
  }

  /** Starts it from another folder, without this repository in its environment. */
  async start(): Promise<void> {
    const windows = process.platform === "win32";
    const [program, args] = windows
      ? [process.execPath, [join(this.#folder, "main.js"), "--config", join(this.#folder, "config.yml")]]
      : [join(this.#folder, "start.sh"), []];
    const child = spawn(program, args, {
      cwd: join(this.#folder, ".."),
      env: {
        ...this.#env,
        ...(windows ? { SystemRoot: process.env.SystemRoot ?? "" } : {}),
        WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1",
        WEB_BRIDGE_MODULES_API_PORT: portOf(this.urls.public),
        WEB_BRIDGE_BRIDGE_PORT: portOf(this.urls.bridge),
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

  /** Stops it with a signal and returns its exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return null;
    if (child.exitCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
    return child.exitCode;
  }
}

const portOf = (url: string): string => (url === "" ? "0" : new URL(url).port);
