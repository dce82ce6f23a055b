import type { SelectableServer } from "../../client/types.ts";

export const titleOf = ({ title, name }: SelectableServer): string => title ?? name;

/** The servers, those of one title with the name beside it. */
export function withDistinctTitles(all: readonly SelectableServer[]): SelectableServer[] {
  const isShared = (one: SelectableServer): boolean =>
    all.some(other => other !== one && titleOf(other) === titleOf(one));
  return all.map(one => (isShared(one) ? { ...one, title: `${titleOf(one)} (${one.name})` } : one));
}
