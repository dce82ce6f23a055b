import { checkJson, type Guard } from "../../../shared/guard.ts";

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
