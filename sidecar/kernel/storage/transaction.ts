import type { Collection, IndexEntry, IndexValue, Transaction } from "./records.ts";
import type { Stream } from "./streams.ts";

const isAmong = (all: readonly IndexValue[], { index, value }: IndexValue): boolean =>
  all.some(each => each.index === index && each.value === value);

/** A change of one record, as it is to be stored. */
export interface Change {
  of: Collection<unknown>;
  key: string;
  /** stored texts; undefined: none */
  before: string | undefined;
  after: string | undefined;
  /** how long it is kept, in milliseconds */
  forMs?: number | undefined;
  removed: IndexValue[];
  added: IndexValue[];
}

/** Entries that are to be appended to a stream. */
export interface Appended {
  to: Stream<unknown>;
  entries: readonly unknown[];
}

/** What is to be done by a decision. */
export interface Decision<T> {
  answer: T;
  changes: Change[];
  appended: Appended[];
  isDurable: boolean;
}

/**
 * Stored texts under keys of a collection; undefined: none. `isReplaced`: what is there makes no difference, since it is replaced
 * as a whole, and need not be read for this.
 */
type Load = (
  of: Collection<unknown>,
  keys: readonly string[],
  isReplaced?: boolean,
) => readonly (string | undefined)[];

/** Is called with each record and each entry that is damaged. */
export type Damaged = (of: { readonly name: string; readonly damaged: string }, key: string) => void;

const nameOf = (of: Collection<unknown>, key: string): string => `${of.name}\0${key}`;

/** The records of stored texts, by their keys. */
export function recordsOf<R>(
  of: Collection<R>,
  keys: readonly string[],
  texts: readonly (string | undefined)[],
  damaged: Damaged,
): [key: string, record: R][] {
  return keys.flatMap((key, i) => {
    const text = texts[i];
    if (text === undefined) return [];
    const record = of.parse(text);
    if (record === undefined) damaged(of, key);
    return record === undefined ? [] : [[key, record] as [string, R]];
  });
}

/** Runs a decision on stored texts. What `load` throws ends it. */
export function decideOn<T>(
  decide: (transaction: Transaction) => T,
  load: Load,
  damaged: Damaged,
): Decision<T> {
  const changed = new Map<string, Change>();
  const appended: Appended[] = [];
  let isDurable = false;

  function getMany<R>(of: Collection<R>, keys: readonly string[]): ReadonlyMap<string, R> {
    const loaded = load(of, keys);
    const texts = keys.map((key, i) => {
      const change = changed.get(nameOf(of, key));
      return change ? change.after : loaded[i];
    });
    return new Map(recordsOf(of, keys, texts, damaged));
  }

  function change(of: Collection<unknown>, key: string, after: string | undefined, forMs?: number): void {
    const [before] = load(of, [key], of.indexes.length === 0);
    // What is there may be unknown where it makes no difference.
    const isKnown = after !== undefined || of.indexes.length > 0;
    if (after === before && forMs === undefined && isKnown) changed.delete(nameOf(of, key));
    else changed.set(nameOf(of, key), changeOf(of, key, { before, after, forMs }));
  }

  function dropStale(of: Collection<unknown>, index: string, { value, key }: IndexEntry): boolean {
    const [before] = load(of, [key]);
    const name = nameOf(of, key);
    const known = changed.get(name) ?? { of, key, before, after: before, removed: [], added: [] };
    // What is damaged here may be whole for another version.
    const isUnreadable = known.after !== undefined && of.parse(known.after) === undefined;
    if (isUnreadable || isAmong(valuesOf(of, key, known.after), { index, value })) return false;
    changed.set(name, { ...known, removed: [...known.removed, { index, value }] });
    return true;
  }

  const answer = decide({
    get: (of, key) => getMany(of, [key]).get(key),
    getMany,
    put: (of, key, record, forMs) => change(of, key, of.format(record), forMs),
    delete: (of, key) => change(of, key, undefined),
    dropStale,
    append(to, entries) {
      if (entries.length > 0) appended.push({ to, entries });
    },
    makeDurable: () => {
      isDurable = true;
    },
  });
  return { answer, changes: [...changed.values()], appended, isDurable };
}

/** What the record of a stored text is found and sorted by. */
export function valuesOf(of: Collection<unknown>, key: string, text: string | undefined): IndexValue[] {
  const record = text === undefined ? undefined : of.parse(text);
  if (record === undefined) return [];
  return of.indexes.flatMap(index =>
    [...new Set(of.valuesIn(index, record, key))].flatMap(value =>
      value === undefined ? [] : [{ index, value }],
    ),
  );
}

/** A change with what becomes of the entries in the indexes. */
export function changeOf(
  of: Collection<unknown>,
  key: string,
  texts: Pick<Change, "before" | "after" | "forMs">,
): Change {
  const [old, now] = [valuesOf(of, key, texts.before), valuesOf(of, key, texts.after)];
  return {
    of,
    key,
    ...texts,
    removed: old.filter(each => !isAmong(now, each)),
    added: now.filter(each => !isAmong(old, each)),
  };
}
