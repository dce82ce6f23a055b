import { report } from "./report.ts";

interface PromiseState {
  held: boolean;
}

let rejected: { readonly fate: PromiseState; readonly error: unknown }[] = [];

/** A promise of the game, or one derived from it. A rejection without a handler is logged. */
export class GamePromise<T> extends Promise<T> {
  readonly #fate: PromiseState;
  constructor(executor: (resolve: (value: T) => void, reject: (error: unknown) => void) => void) {
    const fate: PromiseState = { held: false };
    super((resolve, reject) =>
      executor(resolve, error => {
        rejected.push({ fate, error });
        reject(error);
      }),
    );
    this.#fate = fate;
  }
  // biome-ignore lint/suspicious/noThenProperty: it is a promise, and has to know who holds it
  override then<A = T, B = never>(
    onDone?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#fate.held = true;
    return super.then(onDone, onError);
  }
}

/** Logs rejections since the last call that have no handler. */
export function reportRejections(): void {
  if (rejected.length === 0) return;
  for (const { fate, error } of rejected) if (!fate.held) report(error, "Unhandled promise rejection: ");
  rejected = [];
}
