import type { Collection, IndexEntry, IndexValue, Transaction } from "./records.ts";
import type { Stream } from "./streams.ts";

const isAmong = (all: readonly IndexValue[], { index, value }: IndexValue): boolean =>
  all.some(each => each.index === index && each.value === value);

/** A change of one record. */
export interface Change {
  of: Collection<unknown>;
  key: string;
  /** stored texts; undefined: none */
  before: string | undefined;
  after: string | undefined;
  /** milliseconds until it expires */
  forMs?: number | undefined;
  removed: IndexValue[];
  added: IndexValue[];
}

/** Entries to append to a stream. */
export interface StreamAppend {
  to: Stream<unknown>;
  entries: readonly unknown[];
}

/** Result of a decision. */
interface Decision<T> {
  answer: T;
  changes: Change[];
  appended: StreamAppend[];
  isDurable: boolean;
}

/**
 * Loads stored texts by keys of a collection; undefined: none. `isReplaced`: the current text does not matter, since it is replaced
 * completely, and need not be read.
 */
type Load = (
  of: Collection<unknown>,
  keys: readonly string[],
  isReplaced?: boolean,
) => readonly (string | undefined)[];

/** Called for each damaged record or entry. */
export type DamageListener = (of: { readonly name: string; readonly damaged: string }, key: string) => void;

const nameOf = (of: Collection<unknown>, key: string): string => `${of.name}\0${key}`;

/** The records of stored texts, by their keys. */
export function recordsOf<R>(
  of: Collection<R>,
  keys: readonly string[],
  texts: readonly (string | undefined)[],
  damaged: DamageListener,
): [key: string, record: R][] {
  return keys.flatMap((key, i) => {
    const text = texts[i];
    if (text === undefined) return [];
    const record = of.parse(text);
    if (record === undefined) damaged(of, key);
    return record === undefined ? [] : [[key, record] as [string, R]];
  });
}

/** Runs a decision on stored texts. An error thrown by `load` ends it. */
export function decideOn<T>(
  decide: (transaction: Transaction) => T,
  load: Load,
  damaged: DamageListener,
): Decision<T> {
  const changed = new Map<string, Change>();
  const appended: StreamAppend[] = [];
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
    // The current text may be unknown if it does not matter.
    const isKnown = after !== undefined || of.indexes.length > 0;
    if (after === before && forMs === undefined && isKnown) changed.delete(nameOf(of, key));
    else changed.set(nameOf(of, key), changeOf(of, key, { before, after, forMs }));
  }

  function dropStale(of: Collection<unknown>, index: string, { value, key }: IndexEntry): boolean {
    const [before] = load(of, [key]);
    const name = nameOf(of, key);
    const known = changed.get(name) ?? { of, key, before, after: before, removed: [], added: [] };
    // A record damaged for this version may be readable for another.
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

/** The index values of a stored record. */
export function valuesOf(of: Collection<unknown>, key: string, text: string | undefined): IndexValue[] {
  const record = text === undefined ? undefined : of.parse(text);
  if (record === undefined) return [];
  return of.indexes.flatMap(index =>
    [...new Set(of.valuesIn(index, record, key))].flatMap(value =>
      value === undefined ? [] : [{ index, value }],
    ),
  );
}

/** A change with its added and removed index entries. */
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
