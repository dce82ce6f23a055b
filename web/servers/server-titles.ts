import type { ShownServer } from "../../client/types.ts";

export const titleOf = ({ title, name }: ShownServer): string => title ?? name;

/** The servers, those of one title with the name beside it. */
export function withDistinctTitles(all: readonly ShownServer[]): ShownServer[] {
  const isShared = (one: ShownServer): boolean =>
    all.some(other => other !== one && titleOf(other) === titleOf(one));
  return all.map(one => (isShared(one) ? { ...one, title: `${titleOf(one)} (${one.name})` } : one));
}
