import type { Bus, BusEvent } from "../storage/ports/game.ts";
import type { Snapshot } from "./snapshot.ts";

/** The bus of a bridge with one sidecar process: calls its listeners. */
export function createEmbeddedBus(): Bus {
  const listeners = new Set<(event: BusEvent) => void>();
  let last: Snapshot | undefined;

  return {
    async publish(event) {
      if (event.kind === "snapshot") last = event.snapshot;
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lastSnapshot: async () => last,
    close: async () => listeners.clear(),
  };
}
