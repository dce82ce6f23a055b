import type { Bus, BusEvent, Snapshot } from "../ports.ts";

/** The bus of a bridge with one sidecar process: calls its listeners. */
export class EmbeddedBus implements Bus {
  readonly #listeners = new Set<(event: BusEvent) => void>();
  #last: Snapshot | undefined;

  async publish(event: BusEvent): Promise<void> {
    if (event.kind === "snapshot") this.#last = event.snapshot;
    for (const listener of this.#listeners) listener(event);
  }

  subscribe(listener: (event: BusEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async lastSnapshot(): Promise<Snapshot | undefined> {
    return this.#last;
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}
