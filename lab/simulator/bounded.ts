/** A list that drops its oldest items beyond a limit. `items` is an array. */
export class Bounded<T> {
  readonly items: T[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(item: T): void {
    this.items.push(item);
    if (this.items.length > this.#limit) this.items.splice(0, this.items.length - this.#limit);
  }
}
