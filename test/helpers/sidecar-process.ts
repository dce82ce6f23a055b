import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "@jest/globals";
import { SidecarProcess } from "../../lab/scale/sidecar-process.ts";
import { PROGRAM, TOKEN } from "./sidecar.ts";

/** A built sidecar in its own process and folder, for each test of a file that starts one; both are removed afterwards. */
class OwnProcess {
  #sidecar: SidecarProcess | undefined;
  #folder = "";
  /** its log, line by line */
  readonly lines: string[] = [];

  /** `prepare`: is called with its folder before the start; `shell`: a command that runs its arguments */
  async start(
    env: Record<string, string> = {},
    prepare: (folder: string) => void = () => undefined,
    shell?: string[],
  ): Promise<void> {
    await this.end();
    this.#folder = mkdtempSync(join(tmpdir(), "sidecar-"));
    prepare(this.#folder);
    this.#sidecar = new SidecarProcess(
      PROGRAM,
      this.#folder,
      { WEB_BRIDGE_BRIDGE_TOKEN: TOKEN, ...env },
      shell,
    );
    this.#sidecar.onLine = line => this.lines.push(line);
    await this.#sidecar.start();
  }

  get sidecar(): SidecarProcess {
    if (!this.#sidecar) throw new Error("there is no process yet");
    return this.#sidecar;
  }
  get urls(): SidecarProcess["urls"] {
    return this.sidecar.urls;
  }

  /** A file in its folder. */
  path = (...names: string[]): string => join(this.#folder, ...names);

  async end(): Promise<void> {
    await this.#sidecar?.kill();
    if (this.#sidecar) rmSync(this.#folder, { recursive: true, force: true });
    this.#sidecar = undefined;
    this.lines.length = 0;
  }
}

export function ownProcess(): OwnProcess {
  const own = new OwnProcess();
  afterEach(() => own.end());
  return own;
}
