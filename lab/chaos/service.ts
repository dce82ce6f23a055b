import pidusage from "pidusage";
import type { Journal } from "./journal.ts";
import type { SidecarLife } from "./ledger/game-lines.ts";
import type { MemorySample } from "./ledger/memory.ts";
import type { SidecarProcess } from "./sidecar-process.ts";

/** A sidecar over all its processes. */
export class Service {
  readonly name: string;
  readonly lives: SidecarLife[] = [];
  readonly memory: MemorySample[] = [];
  readonly #process: SidecarProcess;
  readonly #journal: Journal;

  constructor(name: string, process: SidecarProcess, journal: Journal) {
    this.name = name;
    this.#process = process;
    this.#journal = journal;
    process.onLine = line => {
      journal.trace(`${name}: ${line}`);
      if (/promise was rejected|ended a connection/.test(line)) journal.violation(line);
    };
  }

  /** Whether it was ready and has not been ended since. */
  isUp = false;

  /** Where browsers reach it, and no other. */
  get url(): string {
    return this.#process.urls.public;
  }

  /** Number of the process that is there, or was last. */
  get life(): number {
    return this.lives.length;
  }

  async start(): Promise<void> {
    this.lives.push({ number: this.lives.length + 1, readyAt: undefined, stopAskedAt: undefined });
    try {
      await this.#process.start();
    } catch {
      // A connection of somebody else had taken its port for a moment; what stands in its way for good fails again.
      await this.#process.start();
    }
    const life = this.lives.at(-1);
    if (life) life.readyAt = this.#journal.now();
    this.isUp = true;
    this.#journal.trace(`${this.name} ${this.life} is there`);
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    this.isUp = false;
    const life = this.lives.at(-1);
    if (life && signal === "SIGTERM") life.stopAskedAt = this.#journal.now();
    await (signal === "SIGTERM" ? this.#process.terminate() : this.#process.kill());
    this.#journal.trace(`${this.name} ${this.life} is gone`);
  }

  freeze(isFrozen: boolean): void {
    this.#process.signal(isFrozen ? "SIGSTOP" : "SIGCONT");
  }

  async measure(): Promise<void> {
    const { pid } = this.#process;
    const { life } = this;
    if (pid === undefined) return;
    try {
      const { memory } = await pidusage(pid);
      this.memory.push({ at: this.#journal.now(), life, bytes: memory });
    } catch {
      // It has ended meanwhile.
    }
  }
}
