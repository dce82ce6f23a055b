import type { Collection } from "./collection.ts";
import type { IndexEntry, IndexRange } from "./index-range.ts";
import type { Lease } from "./ports.ts";
import type { Stream, Streams } from "./streams.ts";

/** What a change is decided on, and made with. All of it is of one moment. */
export interface Transaction {
  get<R>(of: Collection<R>, key: string): R | undefined;
  /** Those of these keys that have a record. */
  getMany<R>(of: Collection<R>, keys: readonly string[]): ReadonlyMap<string, R>;
  /** `forMs`: how long it is kept, in milliseconds, in a collection whose records expire */
  put<R>(of: Collection<R>, key: string, record: R, forMs?: number): void;
  delete(of: Collection<unknown>, key: string): void;
  /** Drops an entry of an index that its record does not have, or whose record is gone; whether it is one. */
  dropStale(of: Collection<unknown>, index: string, entry: IndexEntry): boolean;
  /** Appends entries to a stream; they get their ids when the change is made. */
  append<E>(to: Stream<E>, entries: readonly E[]): void;
  /** Has the change survive a loss of power, too, which takes the time of the disk. */
  makeDurable(): void;
}

/**
 * Records of all collections. Several sidecar processes may share them. All of it rejects with a `StorageFault` while the storage
 * cannot be used, and with a `StoreError` where its file cannot.
 */
export interface Records {
  get<R>(of: Collection<R>, key: string): Promise<R | undefined>;
  getMany<R>(of: Collection<R>, keys: readonly string[]): Promise<ReadonlyMap<string, R>>;
  /** Entries of an index, in its order. One whose record is damaged may be among them. */
  entries(of: Collection<unknown>, index: string, range: IndexRange): Promise<IndexEntry[]>;
  /** How many entries of an index there are. */
  count(of: Collection<unknown>, index: string, range?: IndexRange): Promise<number>;
  /** How many records there are. */
  size(of: Collection<unknown>): Promise<number>;
  /** All records, in slices of some hundreds and in no order, none twice. */
  all<R>(of: Collection<R>): AsyncIterable<[key: string, record: R][]>;
  /** Erases everything in these collections, which have to be all of their file; of no cost where nothing is. */
  clear(all: readonly Collection<unknown>[]): Promise<void>;
  /** Rejects when nothing can be kept at the moment. */
  checkWritable(): Promise<void>;
  /**
   * Changes records in one step: what `decide` reads is as it is when the change is made. `decide` may run again, and may neither
   * wait nor catch what the transaction throws. When the promise settles, the change survives the end of the process.
   * @param options.turn the turn that it belongs to: once that is over nothing is changed, and the promise rejects
   */
  transact<T>(decide: (transaction: Transaction) => T, options?: { lease?: Lease | undefined }): Promise<T>;
}

/** Records, and streams that are appended to in one step with them. */
export type RecordsWithStreams = Records & Streams;

/**
 * Records by an index, in its order, and the entries that were looked through. Left out is a record that is damaged. One that
 * replaces a damaged one leaves entries that are not its own: those are dropped here.
 */
export async function lookUp<R>(
  records: Pick<Records, "entries" | "getMany" | "transact">,
  of: Collection<R>,
  index: string,
  range: IndexRange,
): Promise<{ entries: IndexEntry[]; found: [key: string, record: R][] }> {
  for (;;) {
    const entries = await records.entries(of, index, range);
    const found = await foundBy(records, of, index, entries);
    if (found.length === entries.length || !(await dropStale(records, of, index, entries)))
      return { entries, found };
  }
}

/** Whether any of these entries was stale; it is none any more. */
const dropStale = (
  records: Pick<Records, "transact">,
  of: Collection<unknown>,
  index: string,
  entries: readonly IndexEntry[],
): Promise<boolean> =>
  records.transact(transaction => {
    transaction.getMany(
      of,
      entries.map(({ key }) => key),
    );
    return entries.filter(entry => transaction.dropStale(of, index, entry)).length > 0;
  });

/** The records of entries that an index has, in their order. */
export async function foundBy<R>(
  records: Pick<Records, "getMany">,
  of: Collection<R>,
  index: string,
  entries: readonly IndexEntry[],
): Promise<[key: string, record: R][]> {
  const found = await records.getMany(
    of,
    entries.map(({ key }) => key),
  );
  return entries.flatMap(({ value, key }) => {
    const record = found.get(key);
    const isIn = record !== undefined && of.valuesIn(index, record, key).includes(value);
    return isIn ? [[key, record] as [string, R]] : [];
  });
}
