import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The built sidecar in its own process, with its storage in a folder. It restarts on the same ports. */
export class SidecarProcess {
  readonly #program: string;
  readonly #folder: string;
  readonly #env: Record<string, string>;
  readonly #shell: string[];
  #child: ChildProcess | undefined;
  #ended: Promise<number> = Promise.resolve(0);
  /** addresses of the listeners by name, after the first start */
  readonly urls = { public: "", bridge: "" };
  /** called with each line of its log */
  onLine: (line: string) => void = () => undefined;
  /** called with each line of its error output */
  onError: (line: string) => void = line => console.error(line);

  /** `shell`: a command that runs its arguments */
  constructor(program: string, folder: string, env: Record<string, string>, shell: string[] = []) {
    this.#program = program;
    this.#shell = shell;
    this.#folder = folder;
    this.#env = env;
  }

  /** Id of the running process. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves with the exit code when the last started process has ended, for any reason. */
  get ended(): Promise<number> {
    return this.#ended;
  }

  /** How it has ended; undefined while it runs. */
  get exit(): string | undefined {
    const end = this.#child?.exitCode ?? this.#child?.signalCode;
    return this.#child && (end === null ? undefined : `the sidecar has ended (${end})`);
  }

  /** Starts it and waits until both listeners accept connections. */
  async start(): Promise<void> {
    const program = [process.execPath, this.#program, "--config", "config.yml"];
    const [command = "", ...args] = [...this.#shell, ...program];
    const child = spawn(command, args, {
      cwd: this.#folder,
      env: {
        ...process.env,
        WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1",
        WEB_BRIDGE_MODULES_API_PORT: portOf(this.urls.public),
        WEB_BRIDGE_BRIDGE_PORT: portOf(this.urls.bridge),
        WEB_BRIDGE_LOG_FORMAT: "json",
        ...this.#env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    this.#ended = new Promise(resolve => child.once("exit", code => resolve(code ?? 1)));
    createInterface({ input: child.stderr }).on("line", line => this.onError(line));
    const lines = createInterface({ input: child.stdout });
    const listening = new Set<string>();
    await new Promise<void>((resolve, reject) => {
      void this.#ended.then(code => reject(new Error(`the sidecar ended with code ${code}`)));
      lines.on("line", line => {
        this.onLine(line);
        if (listening.size === 2) return;
        const { listener, url } = JSON.parse(line) as { listener?: "public" | "bridge"; url?: string };
        if (listener === undefined || url === undefined) return;
        this.urls[listener] = url;
        if (listening.add(listener).size === 2) resolve();
      });
    });
  }

  /** Pauses or resumes it. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#child?.kill(signal);
  }

  /** Asks it to stop and waits. Returns its exit code and the milliseconds that it took. */
  async terminate(): Promise<{ code: number | null; ms: number }> {
    const child = this.#child;
    if (!child) throw new Error("the sidecar is down");
    const begun = performance.now();
    child.kill("SIGTERM");
    await this.#ended;
    return { code: child.exitCode, ms: performance.now() - begun };
  }

  /** Kills it, as a crash or a power failure does. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    child?.kill("SIGKILL");
    await this.#ended;
  }
}

const portOf = (url: string): string => (url === "" ? "0" : new URL(url).port);
