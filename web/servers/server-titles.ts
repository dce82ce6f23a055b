import type { SelectableServer } from "../../client/types.ts";

export const titleOf = ({ title, name }: SelectableServer): string => title ?? name;

/** The servers, those with the same title with the name before it: where a long title is cut off, the name stays visible. */
export function withDistinctTitles(all: readonly SelectableServer[]): SelectableServer[] {
  const isShared = (one: SelectableServer): boolean =>
    all.some(other => other !== one && titleOf(other) === titleOf(one));
  return all.map(one => (isShared(one) ? { ...one, title: `${one.name} · ${titleOf(one)}` } : one));
}
