import type { PageEvent, PageState } from "../index.ts";

/** A page that a test shows, hides and cuts from its network. */
export class Page implements PageState {
  readonly #listeners = new Set<(what: PageEvent) => void>();
  #isHidden: boolean;

  constructor(isHidden = false) {
    this.#isHidden = isHidden;
  }

  readonly isHidden = (): boolean => this.#isHidden;
  readonly listen = (listener: (what: PageEvent) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get listeners(): number {
    return this.#listeners.size;
  }

  happens(what: PageEvent): void {
    if (what === "seen" || what === "hidden") this.#isHidden = what === "hidden";
    for (const listener of [...this.#listeners]) listener(what);
  }
}
