import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { messageOf } from "../../cli/errno.ts";
import { leaveNothing } from "./leftovers.ts";
import { SELF } from "./places.ts";

/** What a process of the benchmarks does when asked, by name. Argument and answer are plain JSON. */
type Handlers = Record<string, (arg: never) => unknown>;

/** Tells the child process which part it plays; the arguments follow it. */
export const ROLE_FLAG = "--role";

interface Question {
  id: number;
  name: string;
  arg: unknown;
}

interface Reply {
  id: number;
  value?: unknown;
  error?: string;
}

const START_MS = 15_000;
const ANSWER_MS = 25_000;

/** A child process that plays one part of a benchmark. */
export class Worker<H extends Handlers> {
  /** Ends the process. */
  readonly end: () => Promise<void>;
  readonly #child: ChildProcess;
  readonly #role: string;
  readonly #open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #lines: string[] = [];
  #lastId = 0;
  #onLine: (() => void) | undefined;

  private constructor(role: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#role = role;
    this.#child = fork(SELF, [ROLE_FLAG, role, ...args], {
      env: { ...process.env, ...env },
      execArgv: ["--expose-gc"],
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    const gone = once(this.#child, "exit");
    this.end = leaveNothing(() => this.#child.kill("SIGKILL") && gone);
    this.#child.on("message", ({ id, value, error }: Reply) => {
      const question = this.#open.get(id);
      if (error === undefined) question?.resolve(value);
      else question?.reject(new Error(`${role}: ${error}`));
    });
    void gone.then(() => {
      for (const { reject } of this.#open.values()) reject(new Error(`${role} has ended`));
    });
    if (this.#child.stdout === null) return;
    createInterface({ input: this.#child.stdout }).on("line", line => {
      this.#lines.push(line);
      this.#onLine?.();
    });
  }

  /** Starts a part and waits until it can be asked. */
  static async start<H extends Handlers>(
    role: string,
    args: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
  ): Promise<Worker<H>> {
    const worker = new Worker<H>(role, args, env);
    await worker.#put("up", undefined, START_MS);
    return worker;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Asks the process; rejects when the part fails, ends or takes too long. */
  async ask<K extends keyof H & string>(
    name: K,
    arg: Parameters<H[K]>[0],
  ): Promise<Awaited<ReturnType<H[K]>>> {
    // The other side answers with what the handler of that name returns.
    return (await this.#put(name, arg, ANSWER_MS)) as Awaited<ReturnType<H[K]>>;
  }

  /** The first value that `read` finds in a line of the standard output. */
  async line<T>(read: (line: string) => T | undefined): Promise<T> {
    return within(START_MS, `${this.#role} did not say what was expected`, resolve => {
      this.#onLine = () => {
        const found = this.#lines.map(read).find(value => value !== undefined);
        if (found !== undefined) resolve(found);
      };
      this.#onLine();
    });
  }

  async #put(name: string, arg: unknown, ms: number): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = within(ms, `${this.#role} did not answer "${name}"`, (resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#child.send({ id, name, arg } satisfies Question);
    });
    return answer.finally(() => this.#open.delete(id));
  }
}

/** In the child process: answers what the parent asks, and ends with it. */
export function serve(handlers: Handlers): void {
  process.on("disconnect", () => process.exit(0));
  process.on("message", ({ id, name, arg }: Question) => {
    const handler = name === "up" ? () => true : handlers[name];
    const reply = (rest: Omit<Reply, "id">): void => void process.send?.({ id, ...rest });
    // The types of `ask` make name and argument fit.
    Promise.resolve()
      .then(() => handler?.(arg as never))
      .then(
        value => reply({ value }),
        (error: unknown) => reply({ error: messageOf(error) }),
      );
  });
}

/** @throws the failure when it takes longer than so many milliseconds */
export function within<T>(
  ms: number,
  failure: string,
  begin: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  let timer: NodeJS.Timeout;
  return new Promise<T>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${failure} within ${ms / 1000} s`)), ms);
    begin(resolve, reject);
  }).finally(() => clearTimeout(timer));
}
