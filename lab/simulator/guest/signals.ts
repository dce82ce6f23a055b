import { requireMode, withMode } from "./mode.ts";
import { callPack } from "./report.ts";

type Handler<E> = (event: E) => unknown;

/** Runs the handlers of a signal. Only the simulator has it, so the pack cannot emit events. */
const emitters = new WeakMap<object, (event: never, accept?: (options: unknown) => boolean) => void>();

/** An event signal. Subscribing is allowed at load and in normal execution. */
export class Signal<E> {
  readonly #name: string;
  readonly #handlers = new Map<Handler<E>, unknown>();

  /** @param name class name of this signal in the engine, for its error messages */
  constructor(name: string) {
    this.#name = name;
    emitters.set(this, (event: E, accept?: (options: unknown) => boolean) => {
      if (this.#handlers.size === 0) return;
      for (const [handler, options] of [...this.#handlers]) {
        if (this.#handlers.has(handler) && (!accept || accept(options))) callPack(handler, event);
      }
    });
  }

  subscribe(callback: Handler<E>, options?: unknown): Handler<E> {
    requireMode("e", `function [${this.#name}::subscribe]`);
    if (typeof callback !== "function") throw new TypeError("Native type conversion failed.");
    this.#handlers.set(callback, options);
    return callback;
  }

  unsubscribe(callback: Handler<E>): void {
    requireMode("e", `function [${this.#name}::unsubscribe]`);
    this.#handlers.delete(callback);
  }
}

/** Calls every handler in normal execution, in the order of subscription. */
export function emitAfter<E>(signal: Signal<E>, event: E, accept?: (options: unknown) => boolean): void {
  withMode("normal", () => emitters.get(signal)?.(event as never, accept));
}

/** Calls every handler in restricted execution. */
export function emitBefore<E>(signal: Signal<E>, event: E): void {
  withMode("restricted", () => emitters.get(signal)?.(event as never));
}

/** Calls every handler in early execution: `system.beforeEvents.startup`. */
export function emitEarly<E>(signal: Signal<E>, event: E): void {
  withMode("early", () => emitters.get(signal)?.(event as never));
}
