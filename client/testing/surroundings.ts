import type { Happening, Surroundings } from "../index.ts";

/** A page that a test shows, hides and cuts from its network. */
export class Page implements Surroundings {
  readonly #listeners = new Set<(what: Happening) => void>();
  #isHidden: boolean;

  constructor(isHidden = false) {
    this.#isHidden = isHidden;
  }

  readonly isHidden = (): boolean => this.#isHidden;
  readonly listen = (listener: (what: Happening) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get listeners(): number {
    return this.#listeners.size;
  }

  happens(what: Happening): void {
    if (what === "seen" || what === "hidden") this.#isHidden = what === "hidden";
    for (const listener of [...this.#listeners]) listener(what);
  }
}
