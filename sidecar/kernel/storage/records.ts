import { checkJson, type Guard } from "../../../shared/guard.ts";
import type { Lease } from "./ports.ts";
import type { Stream, Streams } from "./streams.ts";

/** An entry of an index: of equal values the smaller key comes first. */
export interface IndexEntry {
  value: string;
  key: string;
}

/** Part of an index. */
export interface IndexRange {
  /** the smallest value */
  from?: string;
  /** the first value behind all of them */
  to?: string;
  /** only entries behind this one */
  after?: IndexEntry | undefined;
  limit?: number | undefined;
}

/** Stands behind every value that begins with a text. */
export const BEHIND_ALL = "\u{10ffff}";

/** The entries of exactly this value. */
export const exactly = (value: string): IndexRange => ({ from: value, to: `${value}\u0001` });

/** The entries whose value begins with a text. */
export const beginningWith = (text: string): IndexRange => ({ from: text, to: `${text}${BEHIND_ALL}` });

/** Where a range begins: behind this entry. */
export function startOf({ from = "", after }: IndexRange): IndexEntry {
  return after !== undefined && compareTexts(after.value, from) >= 0 ? after : { value: from, key: "" };
}

/** Compares texts by their bytes in UTF-8. */
export const compareTexts = (one: string, other: string): number =>
  one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));

/** A safe integer, perhaps negative, as a value of an index. */
export function ordered(number: number): string {
  const [sign, rest] = number < 0 ? ["-", Number.MAX_SAFE_INTEGER + number] : ["0", number];
  return sign + `${rest}`.padStart(16, "0");
}

/** A place in one of the indexes of a collection. */
export interface IndexValue {
  index: string;
  /** sorted by its bytes in UTF-8; it never has the character 0 */
  value: string;
}

/** Records of one kind, each under a key. */
export interface Collection<R> {
  /** where it is stored; never changes */
  readonly name: string;
  /** whether each record may end by itself, after a time of its own; such a collection has no index */
  readonly expires: boolean;
  /** whether there are few of them, or each ends soon: then they are kept in a storage that is full, too */
  readonly isSmall: boolean;
  /**
   * whether a decision is tried on what this process knew of a record last, or on none, before it is read: right most often, and
   * one question to a shared storage where it is
   */
  readonly isRemembered: boolean;
  /** whether it is enough that a change is in a file within a minute */
  readonly isLate: boolean;
  /** names of its indexes */
  readonly indexes: readonly string[];
  /** what the log says of a damaged record */
  readonly damaged: string;
  /** The record of a stored text; undefined: damaged, and counts as none. */
  parse(text: string): R | undefined;
  format(record: R): string;
  /** What a record is found and sorted by in an index. */
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
  /** values in each index; none: the record is not in it */
  indexes?: Readonly<Record<string, (record: R, key: string) => readonly (string | undefined)[]>>;
}

/** A collection; its records are stored as JSON where `format` is left out. */
export function collection<R>({
  name,
  expires = false,
  isSmall = false,
  isRemembered = false,
  isLate = false,
  damaged = `a stored record of ${name} is damaged and counts as none`,
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

/** Reads stored JSON that has to pass a guard. */
export const parseJson =
  <R>(guard: Guard<R>) =>
  (text: string): R | undefined => {
    const read = checkJson(guard, text);
    return "value" in read ? read.value : undefined;
  };

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
 * cannot be used, and with a `StoreError` where its file cannot. A record is not to be changed in place: others may get the same one.
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
   * @param options.lease the turn that it belongs to: once that is over nothing is changed, and the promise rejects
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
