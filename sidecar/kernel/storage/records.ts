import { checkJson, type Guard } from "../../../shared/guard.ts";
import type { Lease } from "./ports.ts";
import type { Stream, Streams } from "./streams.ts";

/** An entry of an index; equal values are sorted by key. */
export interface IndexEntry {
  value: string;
  key: string;
}

/** Part of an index. */
export interface IndexRange {
  /** the smallest value, inclusive */
  from?: string;
  /** the upper bound, exclusive */
  to?: string;
  /** only entries after this one */
  after?: IndexEntry | undefined;
  limit?: number | undefined;
}

/** Sorts after every value; as a suffix, after every value with that prefix. */
export const BEHIND_ALL = "\u{10ffff}";

/** The entries with exactly this value. */
export const exactly = (value: string): IndexRange => ({ from: value, to: `${value}\u0001` });

/** The entries whose value begins with the text. */
export const beginningWith = (text: string): IndexRange => ({ from: text, to: `${text}${BEHIND_ALL}` });

/** The entry after which a range begins. */
export function startOf({ from = "", after }: IndexRange): IndexEntry {
  return after !== undefined && compareTexts(after.value, from) >= 0 ? after : { value: from, key: "" };
}

/** Compares texts by their bytes in UTF-8. */
export const compareTexts = (one: string, other: string): number =>
  one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));

/** A safe integer, possibly negative, as an index value that sorts like the number. */
export function ordered(number: number): string {
  const [sign, rest] = number < 0 ? ["-", Number.MAX_SAFE_INTEGER + number] : ["0", number];
  return sign + `${rest}`.padStart(16, "0");
}

/** A value in one of the indexes of a collection. */
export interface IndexValue {
  index: string;
  /** sorted by its UTF-8 bytes; never contains the character U+0000 */
  value: string;
}

/** Records of one kind, each under a key. */
export interface Collection<R> {
  /** name in the storage; never changes */
  readonly name: string;
  /** whether each record may have its own expiry; such a collection has no index */
  readonly expires: boolean;
  /** whether there are few records, or they expire soon: then a full storage accepts them too */
  readonly isSmall: boolean;
  /**
   * whether a decision is first tried on this process's last copy of a record (or none) instead of reading it: usually right, and then
   * only one request to a shared storage
   */
  readonly isRemembered: boolean;
  /** whether a change may take up to a minute to be in the file */
  readonly isLate: boolean;
  /** names of its indexes */
  readonly indexes: readonly string[];
  /** log line for a damaged record */
  readonly damaged: string;
  /** Parses a stored text; undefined: damaged, counts as no record. */
  parse(text: string): R | undefined;
  format(record: R): string;
  /** The values of a record in an index. */
  valuesIn(index: string, record: R, key: string): readonly (string | undefined)[];
}

interface CollectionOptions<R> {
  name: string;
  expires?: boolean;
  isSmall?: boolean;
  isRemembered?: boolean;
  isLate?: boolean;
  damaged?: string;
  parse(text: string): R | undefined;
  format?(record: R): string;
  /** values for each index; none: the record is not in it */
  indexes?: Readonly<Record<string, (record: R, key: string) => readonly (string | undefined)[]>>;
}

/** Defines a collection; its records are stored as JSON unless `format` is given. */
export function collection<R>({
  name,
  expires = false,
  isSmall = false,
  isRemembered = false,
  isLate = false,
  damaged = `A stored record of ${name} is damaged and ignored`,
  parse,
  format = JSON.stringify,
  indexes = {},
}: CollectionOptions<R>): Collection<R> {
  const valuesIn = (index: string, record: R, key: string): readonly (string | undefined)[] =>
    indexes[index]?.(record, key) ?? [];
  return {
    name,
    expires,
    isSmall,
    isRemembered,
    isLate,
    indexes: Object.keys(indexes),
    damaged,
    parse,
    format,
    valuesIn,
  };
}

/** Parses stored JSON with a guard. */
export const parseJson =
  <R>(guard: Guard<R>) =>
  (text: string): R | undefined => {
    const read = checkJson(guard, text);
    return "value" in read ? read.value : undefined;
  };

/** Reads and changes in one atomic step. */
export interface Transaction {
  get<R>(of: Collection<R>, key: string): R | undefined;
  /** The records of those keys that have one. */
  getMany<R>(of: Collection<R>, keys: readonly string[]): ReadonlyMap<string, R>;
  /** `forMs`: milliseconds until it expires, in an expiring collection */
  put<R>(of: Collection<R>, key: string, record: R, forMs?: number): void;
  delete(of: Collection<unknown>, key: string): void;
  /** Drops an index entry whose record no longer has the value, or no longer exists; returns whether it was one. */
  dropStale(of: Collection<unknown>, index: string, entry: IndexEntry): boolean;
  /** Appends entries to a stream; they get their ids on commit. */
  append<E>(to: Stream<E>, entries: readonly E[]): void;
  /** Makes the change survive a power failure, which has to wait for the disk. */
  makeDurable(): void;
}

/**
 * Records of all collections. Several sidecar processes may share them. Every call rejects with a `StorageFault` while the storage is
 * unusable, and with a `StoreError` if its file is. A record must not be changed in place: other callers may get the same object.
 */
export interface Records {
  get<R>(of: Collection<R>, key: string): Promise<R | undefined>;
  getMany<R>(of: Collection<R>, keys: readonly string[]): Promise<ReadonlyMap<string, R>>;
  /** Entries of an index, sorted. They may include entries of damaged records. */
  entries(of: Collection<unknown>, index: string, range: IndexRange): Promise<IndexEntry[]>;
  /** Number of entries of an index. */
  count(of: Collection<unknown>, index: string, range?: IndexRange): Promise<number>;
  /** Number of records. */
  size(of: Collection<unknown>): Promise<number>;
  /** All records, unsorted, in slices of a few hundred, each once. */
  all<R>(of: Collection<R>): AsyncIterable<[key: string, record: R][]>;
  /** Erases these collections, which have to be all collections of their file; costs nothing if they are empty. */
  clear(all: readonly Collection<unknown>[]): Promise<void>;
  /** Rejects if nothing can be stored at the moment. */
  checkWritable(): Promise<void>;
  /**
   * Changes records in one atomic step: what `decide` reads is current when the change is made. `decide` may run again; it must be
   * synchronous and must not catch errors of the transaction. Once the promise settles, the change survives the end of the process.
   * @param options.lease the lease that it needs: once that has expired nothing is changed, and the promise rejects
   */
  transact<T>(decide: (transaction: Transaction) => T, options?: { lease?: Lease | undefined }): Promise<T>;
}

/** Records, and streams that can be appended to in the same transaction. */
export type RecordsWithStreams = Records & Streams;

/**
 * Records by an index, sorted, and the entries that were scanned. Damaged records are left out. A record that replaced a damaged one
 * leaves stale index entries: those are dropped here.
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

/** Drops stale ones of these entries; returns whether there were any. */
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

/** The records of index entries, in their order. */
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
