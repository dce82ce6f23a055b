import {
  newQuickJSWASMModule,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from "quickjs-emscripten";
import type { Boot, Host } from "./guest/host.ts";
import type { ScriptMemory } from "./types.ts";

const OUT_OF_MEMORY = "out of memory";
const GUEST = "simulator:guest";
const MAX_STACK_BYTES = 192 * 1024;
/** Ticks between measurements of the script's memory, each of which visits all its objects. */
const MEMORY_EVERY_TICKS = 100;
/** Promise jobs per phase of a tick; others wait for the next phase. */
const MAX_JOBS = 20_000;

/** Number of objects to allocate to trigger a garbage collection. */
const GROWTH = 2_000;

/** Callbacks of the engine. */
interface Usage {
  memory_used_size: number;
  obj_count: number;
  malloc_count: number;
}

interface VmOptions {
  readonly guest: string;
  readonly pack: string;
  readonly host: Host;
  /** names of the host's functions that replace native code of the game */
  readonly native: ReadonlySet<string>;
  /** Milliseconds of replacements of native code, including the transfer of values. */
  readonly onNative: (ms: number) => void;
  readonly boot: Boot;
  readonly memoryLimitBytes: number;
  readonly hangMs: number;
  /** An uncaught error. */
  readonly onError: (text: string) => void;
  /** The script was stopped permanently. */
  readonly onFatal: (reason: string) => void;
}

/** One QuickJS engine with the guest and the pack in it. */
export class Vm {
  readonly #options: VmOptions;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #calls = new Map<string, QuickJSHandle>();
  readonly #empty: QuickJSHandle;
  readonly #memory: { readonly buffer: { readonly byteLength: number } };
  readonly #memoryAtStart: number;
  #ticks = 0;
  #deadline = Number.POSITIVE_INFINITY;
  #dead = false;
  #broken = false;
  #disposed = false;

  private constructor(engine: QuickJSWASMModule, options: VmOptions) {
    this.#options = options;
    this.#runtime = engine.newRuntime();
    this.#runtime.setMaxStackSize(MAX_STACK_BYTES);
    this.#memory = engine.getWasmMemory();
    this.#runtime.setInterruptHandler(() => performance.now() > this.#deadline || this.#grownOver());
    this.#context = this.#runtime.newContext();
    this.#empty = this.#context.newString("");
    this.#memoryAtStart = this.#memory.buffer.byteLength;
  }

  /**
   * Starts the guest and evaluates the pack. Errors of the pack go to `onError`.
   * @throws when the guest itself cannot start.
   */
  static async create(options: VmOptions): Promise<{ vm: Vm; loaded: boolean }> {
    const vm = new Vm(await newQuickJSWASMModule(), options);
    vm.#startGuest();
    const loaded = vm.#loadPack();
    if (loaded) vm.#enter(() => vm.#call("startup"));
    return { vm, loaded: loaded && !vm.#dead };
  }

  /** Runs one tick at wall time `now`. Returns its milliseconds, including those reported to `onNative`. */
  tick(json: string, now: number): number {
    const given = json === "" ? 0 : this.#enter(() => this.#call("take", json));
    this.#options.onNative(given);
    // The result of the script may be settled when the tick begins.
    const admitted = json.includes('"is":"join"') ? this.#enter(() => this.#call("admit")) : 0;
    const ms = this.#enter(() => {
      if (this.#call("tick", now)) {
        this.#drain();
        this.#call("jobs");
      }
    });
    this.#ticks++;
    const look = this.#ticks % MEMORY_EVERY_TICKS === 0 || this.#grownOver();
    if (look && !this.#dead && this.memory().bytes > this.#options.memoryLimitBytes) this.end(OUT_OF_MEMORY);
    return given + admitted + ms;
  }

  /** Shutdown event and rejection of open forms; the last code that runs. */
  shutdown(): void {
    this.#enter(() => this.#call("shutdown"));
    this.#dead = true;
  }

  /** Memory of the script; undefined after the end. */
  memory(): ScriptMemory {
    if (this.#disposed) return { bytes: 0, objects: 0, blocks: 0 };
    const usage = this.#runtime.computeMemoryUsage();
    const {
      memory_used_size: bytes,
      obj_count: objects,
      malloc_count: blocks,
    }: Usage = this.#context.dump(usage);
    usage.dispose();
    return { bytes, objects, blocks };
  }

  /**
   * Makes the engine collect cyclic garbage. It collects only when memory has grown by half, so this allocates
   * objects and releases them afterwards. It raises the threshold of the next collection.
   */
  collect(): void {
    if (this.#dead) return;
    const context = this.#context;
    const run = (code: string): QuickJSHandle => context.unwrapResult(context.evalCode(code));
    const ring = run("() => { const ring = []; ring.push(ring); }");
    const grow = run(`held => { for (let i = 0; i < ${GROWTH}; i++) held.push({}); }`);
    const handles = run("[]");
    const call = (given: QuickJSHandle): void =>
      context.unwrapResult(context.callFunction(given, context.undefined, handles)).dispose();
    for (let grown = GROWTH; grown >= GROWTH; ) {
      // Once this object is collected, all garbage is.
      call(ring);
      const { objects } = this.memory();
      call(grow);
      grown = this.memory().objects - objects;
    }
    for (const handle of [ring, grow, handles]) handle.dispose();
  }

  /** Stops the script permanently without freeing it, since it may be running. */
  end(reason: string): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#broken = true;
    this.#options.onFatal(reason);
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#dead = true;
    // An engine that was stopped during a call cannot be freed; it is dropped with its WASM module.
    if (this.#broken || this.#runtime.hasPendingJob()) return;
    for (const handle of this.#calls.values()) handle.dispose();
    this.#empty.dispose();
    this.#context.dispose();
    this.#runtime.dispose();
  }

  #startGuest(): void {
    const context = this.#context;
    const { guest, host, boot } = this.#options;
    const guestModule = context.unwrapResult(context.evalCode(guest, GUEST, { type: "module" }));
    const start = context.getProp(guestModule, "start");
    const hostObject = this.#hostObject(host);
    const bootJson = context.newString(JSON.stringify(boot));
    const api = context.unwrapResult(context.callFunction(start, context.undefined, hostObject, bootJson));
    for (const name of ["startup", "take", "admit", "tick", "jobs", "shutdown"]) {
      this.#calls.set(name, context.getProp(api, name));
    }
    this.#offerModules(api);
    for (const handle of [guestModule, start, hostObject, bootJson, api]) handle.dispose();
  }

  /** Evaluates the modules once so that they find their exports, then removes access to these. */
  #offerModules(api: QuickJSHandle): void {
    const context = this.#context;
    const names = context.getProp(api, "exportNames").consume(handle => context.getString(handle));
    const exportNames: Record<string, string[]> = JSON.parse(names);
    this.#runtime.setModuleLoader(name => {
      const known = exportNames[name];
      if (!known) return { error: new ReferenceError(`Native module error or file not found: ${name}`) };
      const lines = known.map(one => `export const ${one} = from.${one};`);
      return `const from = globalThis.simulated[${JSON.stringify(name)}];\n${lines.join("\n")}`;
    });
    context.getProp(api, "modules").consume(modules => context.setProp(context.global, "simulated", modules));
    const imports = Object.keys(exportNames).map(name => `import ${JSON.stringify(name)};`);
    const code = `${imports.join("\n")}\ndelete globalThis.simulated;`;
    context.unwrapResult(context.evalCode(code, "simulator:modules", { type: "module" })).dispose();
  }

  #loadPack(): boolean {
    const context = this.#context;
    let loaded = false;
    this.#enter(() => {
      const result = context.evalCode(this.#options.pack, "main.js", { type: "module" });
      if (result.error) return this.#fail(result.error);
      this.#drain();
      const state = result.value.consume(value => context.getPromiseState(value));
      if (state.type === "rejected") this.#fail(state.error);
      else loaded = true;
      if (state.type === "fulfilled" && !state.notAPromise) state.value.dispose();
    });
    return loaded;
  }

  /** Runs code in the script under the watchdog, then the promise jobs. Returns milliseconds. */
  #enter(run: () => void): number {
    if (this.#dead) return 0;
    const start = performance.now();
    this.#deadline = start + this.#options.hangMs;
    try {
      run();
      this.#drain();
    } catch (error) {
      // The engine itself failed, for example because the host's stack overflowed before the engine's own limit.
      this.end(error instanceof Error ? error.message : String(error));
    }
    this.#deadline = Number.POSITIVE_INFINITY;
    return performance.now() - start;
  }

  #call(name: string, given: string | number = ""): boolean {
    const handle = this.#calls.get(name);
    if (!handle || this.#dead) return false;
    const context = this.#context;
    const value = given === "" ? this.#empty : this.#toGuest(given);
    const result = context.callFunction(handle, context.undefined, value);
    if (value !== this.#empty) value.dispose();
    if (result.error) {
      this.#fail(result.error);
      return false;
    }
    const answer = context.eq(result.value, context.true);
    result.value.dispose();
    return answer;
  }

  #drain(): void {
    for (let left = MAX_JOBS; left > 0 && !this.#dead && this.#runtime.hasPendingJob(); ) {
      const result = this.#runtime.executePendingJobs(left);
      if (result.error) {
        this.#fail(result.error);
        left--;
      } else left -= result.value;
    }
  }

  #fail(error: QuickJSHandle): void {
    const dumped: unknown = this.#context.dump(error);
    error.dispose();
    const { name, message, stack } = errorParts(dumped);
    if (name === "InternalError" && message === "interrupted") {
      this.end(this.#grownOver() ? OUT_OF_MEMORY : "hang");
    } else if (name === "InternalError" && message === OUT_OF_MEMORY) this.end(OUT_OF_MEMORY);
    else this.#options.onError(`${name}: ${message}${stack === "" ? "" : `\n${stack.trimEnd()}`}`);
  }

  /** The engine's own limit counts too little in WASM, so memory is measured from outside. */
  #grownOver(): boolean {
    return this.#memory.buffer.byteLength - this.#memoryAtStart > this.#options.memoryLimitBytes;
  }

  #hostObject(host: Host): QuickJSHandle {
    const context = this.#context;
    const { native, onNative } = this.#options;
    const object = context.newObject();
    for (const [name, call] of Object.entries<(...args: never[]) => unknown>({ ...host })) {
      const made = context.newFunction(name, (...args) => {
        const begun = performance.now();
        const given = args.map(arg => this.#fromGuest(arg));
        const result = this.#toGuest(Reflect.apply(call, undefined, given));
        if (native.has(name)) onNative(performance.now() - begun);
        return result;
      });
      made.consume(handle => context.setProp(object, name, handle));
    }
    return object;
  }

  #fromGuest(handle: QuickJSHandle): string | number {
    const context = this.#context;
    return context.typeof(handle) === "number" ? context.getNumber(handle) : context.getString(handle);
  }

  #toGuest(value: unknown): QuickJSHandle {
    const context = this.#context;
    if (typeof value === "string") return context.newString(value);
    if (typeof value === "number") return context.newNumber(value);
    if (typeof value === "boolean") return value ? context.true : context.false;
    return context.undefined;
  }
}

function errorParts(dumped: unknown): { name: string; message: string; stack: string } {
  if (typeof dumped !== "object" || dumped === null)
    return { name: "Error", message: String(dumped), stack: "" };
  const {
    name = "Error",
    message = "",
    stack = "",
  }: { name?: unknown; message?: unknown; stack?: unknown } = dumped;
  return { name: String(name), message: String(message), stack: String(stack) };
}
