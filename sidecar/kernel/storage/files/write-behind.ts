import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { BackingFile, StoredEntry } from "../memory-streams.ts";
import { idOf, later, parseId } from "../stream-ids.ts";
import type { Change } from "../transaction.ts";
import type { RecordsFile } from "./records-file.ts";

/** Interval of retrying failed writes, in milliseconds. */
const RETRY_MS = 5_000;
/**
 * Interval of writing changes that may be delayed, in milliseconds: a disk may be slow, or wear out. Together with `RETRY_MS` it is less
 * than the minute that may be lost.
 */
const DELAYED_WRITE_MS = 50_000;

/** Changes of a stream that are not in the file. */
interface UnwrittenStream {
  begun?: { epoch: number; floor: string };
  entries: StoredEntry[];
  dropped: string[];
}

/** Which changes are in the file. After a failure, writing is retried at intervals, not with each chat message. */
type FileState = "all" | "some" | "failing";

/** Writes the in-memory records of this process to a file, for collections without indexes. */
export function createWriteBehind(deps: {
  clock: Clock;
  log: Pick<Log, "error" | "info">;
  file: RecordsFile;
}): BackingFile & { close(): void } {
  const { clock, log, file } = deps;
  let state: FileState = "all";
  let changes = new Map<string, Change>();
  let streams = new Map<string, UnwrittenStream>();
  /** delayed changes */
  let delayed = new Map<string, Change>();

  function unwrittenOf(name: string): UnwrittenStream {
    const unwritten = streams.get(name) ?? { entries: [], dropped: [] };
    streams.set(name, unwritten);
    if (state === "all") state = "some";
    return unwritten;
  }

  function queueChange(change: Change): void {
    changes.set(`${change.of.name}\0${change.key}`, change);
    if (state === "all") state = "some";
  }

  function flush(isDurable = false): void {
    if (state === "all") return;
    try {
      file.write({ changes: [...changes.values()], streams }, isDurable);
      if (state === "failing") log.info({}, "Recent events are saved again");
      [changes, streams, state] = [new Map(), new Map(), "all"];
    } catch (error) {
      if (state !== "failing")
        log.error({ error }, "Disk full? Recent events can't be saved and would be lost on restart");
      // Readers get the events all the same.
      state = "failing";
    }
  }

  function flushDelayed(): void {
    for (const change of delayed.values()) queueChange(change);
    delayed = new Map();
  }

  const ends = [clock.every(RETRY_MS, () => flush()), clock.every(DELAYED_WRITE_MS, flushDelayed)];

  return {
    texts: file.texts,
    beginStream({ name }) {
      const { epoch: before, floor, entries } = file.stream(name);
      const newest = [floor, ...entries.slice(-1).map(({ id }) => id)].reduce(later, "");
      // No id is reused, even if the clock was set back.
      const epoch = Math.max(Math.floor(clock.now()), before + 1, (parseId(newest)?.[0] ?? 0) + 1);
      const begun = { epoch, floor: floor || idOf(epoch, 0) };
      unwrittenOf(name).begun = begun;
      flush(true);
      return { ...begun, entries };
    },
    write(more, appended) {
      for (const change of more)
        if (change.of.isLate) delayed.set(`${change.of.name}\0${change.key}`, change);
        else queueChange(change);
      for (const [{ name }, entries] of appended) unwrittenOf(name).entries.push(...entries);
      if (state === "some") flush();
    },
    drop({ name }, ids) {
      const unwritten = unwrittenOf(name);
      const gone = new Set(ids);
      // Dropped entries need not be written.
      const unwrittenIds = new Set(unwritten.entries.map(({ id }) => id));
      unwritten.entries = unwritten.entries.filter(({ id }) => !gone.has(id));
      unwritten.dropped.push(...ids.filter((id, i) => !unwrittenIds.has(id) || i === ids.length - 1));
      if (state === "some") flush();
    },
    close() {
      for (const end of ends) end();
      flushDelayed();
      flush();
      file.close();
    },
  };
}
