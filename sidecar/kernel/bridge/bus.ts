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

/** How long an event waits for a process that has lost its connection, in milliseconds. */
const HELD_MS = 60_000;

const figure = num(0, Number.MAX_SAFE_INTEGER);
const figures = object({ memoryUsedMB: figure, memoryMaxMB: figure, cpuUsage: num(-1, 1_000_000) });

/** `wake`: a poll may have something to take. */
type Event = BusEvent | { kind: "wake" };

const event: Guard<Event> = tagged("kind", {
  outcome: object({ outcome, names: optional(list(text(NAME_LENGTH), MAX_NAMES)) }),
  snapshot: object({ snapshot }),
  figures: object({ figures, from: optional(text(36)) }),
  wake: object({}),
});

/** What the processes tell each other of a game server, whose stored names begin with `scope`. */
export const busStream = (scope: string): Stream<Event> => ({
  name: `${scope}bus`,
  forMs: HELD_MS,
  damaged: "what another sidecar has told cannot be read",
  parse: parseJson(event),
  format: JSON.stringify,
});

/** The last snapshot of each game server. */
const SNAPSHOT = collection<Extract<BusEvent, { kind: "snapshot" }>>({
  name: "snapshot",
  isSmall: true,
  expires: true,
  damaged: "what another sidecar has stored cannot be read",
  parse: parseJson(tagged("kind", { snapshot: object({ snapshot }) })),
});

/** The bus of a game server, in records that the processes share where there are several. */
export function createBus(deps: {
  records: RecordsWithStreams;
  reach: Reach;
  /** stored name of the game server, blank for the first one, and what its stored names begin with */
  server: string;
  scope: string;
  /** A poll may have something to take. */
  onWake?(): void;
}): Bus {
  const { records, server, onWake } = deps;
  const listeners = new Set<(event: BusEvent) => void>();
  const stream = busStream(deps.scope);
  /** the last one that was heard */
  let last: Snapshot | undefined;

  function hear(heard: Event): void {
    if (heard.kind === "snapshot") last = heard.snapshot;
    if (heard.kind === "wake") onWake?.();
    else for (const listener of listeners) listener(heard);
  }

  const stop = records.tail(stream, {
    begin: () => undefined,
    add(entries) {
      for (const { entry } of entries) hear(entry);
    },
  });

  const lastSnapshot = async (): Promise<Snapshot | undefined> =>
    records.areShared ? (await records.get(SNAPSHOT, server))?.snapshot : last;

  deps.reach.onChange(async isAway => {
    if (isAway) return;
    // It has changed perhaps while nothing was heard.
    const snapshot = await lastSnapshot().catch(() => undefined);
    if (snapshot) hear({ kind: "snapshot", snapshot });
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
