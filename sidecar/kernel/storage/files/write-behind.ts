import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { RecordsBehind, StoredEntry } from "../memory-streams.ts";
import { idOf, later, parseId } from "../stream-ids.ts";
import type { Change } from "../transaction.ts";
import type { RecordsFile } from "./records-file.ts";

/** How often what could not be written is tried again, in milliseconds. */
const RETRY_MS = 5_000;
/**
 * How often changes that may be late are written, in milliseconds: a disk may be slow, or wear out. With `RETRY_MS` it is less than
 * the minute that may be lost.
 */
const LATE_MS = 50_000;

/** What the file lacks of a stream. */
interface UnwrittenStream {
  begun?: { epoch: number; floor: string };
  entries: StoredEntry[];
  dropped: string[];
}

/** What of the changes is in the file. Where writing fails, it is tried again from time to time, and not with each line of chat. */
type FileState = "all" | "some" | "failing";

/** Writes to a file what this process holds in memory, of collections without indexes. */
export function createWriteBehind(deps: {
  clock: Clock;
  log: Pick<Log, "error" | "info">;
  file: RecordsFile;
}): RecordsBehind & { close(): void } {
  const { clock, log, file } = deps;
  let state: FileState = "all";
  let changes = new Map<string, Change>();
  let streams = new Map<string, UnwrittenStream>();
  /** what waits for its minute */
  let late = new Map<string, Change>();

  function lackedOf(name: string): UnwrittenStream {
    const lacked = streams.get(name) ?? { entries: [], dropped: [] };
    streams.set(name, lacked);
    if (state === "all") state = "some";
    return lacked;
  }

  function lack(change: Change): void {
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
      // Readers get it all the same.
      state = "failing";
    }
  }

  function flushLate(): void {
    for (const change of late.values()) lack(change);
    late = new Map();
  }

  const ends = [clock.every(RETRY_MS, () => flush()), clock.every(LATE_MS, flushLate)];

  return {
    texts: file.texts,
    beginStream({ name }) {
      const { epoch: before, floor, entries } = file.stream(name);
      const newest = [floor, ...entries.slice(-1).map(({ id }) => id)].reduce(later, "");
      // No id comes again, though the clock was set back.
      const epoch = Math.max(Math.floor(clock.now()), before + 1, (parseId(newest)?.[0] ?? 0) + 1);
      const begun = { epoch, floor: floor || idOf(epoch, 0) };
      lackedOf(name).begun = begun;
      flush(true);
      return { ...begun, entries };
    },
    write(more, appended) {
      for (const change of more)
        if (change.of.isLate) late.set(`${change.of.name}\0${change.key}`, change);
        else lack(change);
      for (const [{ name }, entries] of appended) lackedOf(name).entries.push(...entries);
      if (state === "some") flush();
    },
    drop({ name }, ids) {
      const lacked = lackedOf(name);
      const gone = new Set(ids);
      // What is not held any more need not be written.
      const unwritten = new Set(lacked.entries.map(({ id }) => id));
      lacked.entries = lacked.entries.filter(({ id }) => !gone.has(id));
      lacked.dropped.push(...ids.filter((id, i) => !unwritten.has(id) || i === ids.length - 1));
      if (state === "some") flush();
    },
    close() {
      for (const end of ends) end();
      flushLate();
      flush();
      file.close();
    },
  };
}
