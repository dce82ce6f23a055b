import { outcome } from "../../../shared/facts.ts";
import { type Guard, list, num, object, optional, tagged, text } from "../../../shared/guard.ts";
import { NAME_LENGTH } from "../../../shared/limits.ts";
import type { Reach } from "../storage/ports.ts";
import type { RecordsWithStreams } from "../storage/records.ts";
import { collection, parseJson } from "../storage/records.ts";
import type { Stream } from "../storage/streams.ts";
import { MAX_NAMES } from "./parts.ts";
import type { Bus, BusEvent } from "./ports.ts";
import { type Snapshot, snapshot } from "./snapshot.ts";

/** How long an event is stored for a process that has lost its connection, in milliseconds. */
const RETENTION_MS = 60_000;

const figure = num(0, Number.MAX_SAFE_INTEGER);
const figures = object({ memoryUsedMB: figure, memoryMaxMB: figure, cpuUsage: num(-1, 1_000_000) });

/** `wake`: there may be actions for a poll. */
type Event = BusEvent | { kind: "wake" };

const event: Guard<Event> = tagged("kind", {
  outcome: object({ outcome, names: optional(list(text(NAME_LENGTH), MAX_NAMES)) }),
  snapshot: object({ snapshot }),
  figures: object({ figures, from: optional(text(36)) }),
  wake: object({}),
});

/** Events about a game server that the processes exchange. Its storage keys begin with `scope`. */
export const busStream = (scope: string): Stream<Event> => ({
  name: `${scope}bus`,
  forMs: RETENTION_MS,
  damaged: "Could not read an event from another sidecar",
  parse: parseJson(event),
  format: JSON.stringify,
});

/** The last snapshot of each game server. */
const SNAPSHOT = collection<Extract<BusEvent, { kind: "snapshot" }>>({
  name: "snapshot",
  isSmall: true,
  expires: true,
  damaged: "Could not read a snapshot stored by another sidecar",
  parse: parseJson(tagged("kind", { snapshot: object({ snapshot }) })),
});

/** The event bus of a game server, in records that all processes share. */
export function createBus(deps: {
  records: RecordsWithStreams;
  reach: Reach;
  /** name of the game server in the storage, blank for the first one, and the prefix of its storage keys */
  server: string;
  scope: string;
  /** There may be actions for a poll. */
  onWake?(): void;
}): Bus {
  const { records, server, onWake } = deps;
  const listeners = new Set<(event: BusEvent) => void>();
  const stream = busStream(deps.scope);
  /** the last snapshot that was received */
  let last: Snapshot | undefined;

  function receive(event: Event): void {
    if (event.kind === "snapshot") last = event.snapshot;
    if (event.kind === "wake") onWake?.();
    else for (const listener of listeners) listener(event);
  }

  const stop = records.tail(stream, {
    begin: () => undefined,
    add(entries) {
      for (const { entry } of entries) receive(entry);
    },
  });

  const lastSnapshot = async (): Promise<Snapshot | undefined> =>
    records.areShared ? (await records.get(SNAPSHOT, server))?.snapshot : last;

  deps.reach.onChange(async isAway => {
    if (isAway) return;
    // It may have changed while this process received no events.
    const snapshot = await lastSnapshot().catch(() => undefined);
    if (snapshot) receive({ kind: "snapshot", snapshot });
  });

  return {
    publish: (published, lease) =>
      records.transact(
        transaction => {
          if (published.kind === "snapshot") transaction.put(SNAPSHOT, server, published);
          transaction.append(stream, [published]);
        },
        { lease },
      ),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lastSnapshot,
    async close() {
      stop();
      listeners.clear();
    },
  };
}
