import type { PlayerData } from "../../client/index.ts";

/** What the players online can be sorted by. */
export type Column = "name" | "health" | "playerKills" | "deaths" | "playtimeSeconds";

/** Compares names; numbers in them by value. */
export const { compare: compareNames } = new Intl.Collator(undefined, { numeric: true });

/** Players in the order of a column; equal ones by name, so that no row moves without a reason. */
export function sortPlayers(players: readonly PlayerData[], by: Column, isAscending: boolean): PlayerData[] {
  const compare = (a: PlayerData, b: PlayerData): number => {
    const order = by === "name" ? compareNames(a.name, b.name) : a[by] - b[by];
    return (isAscending ? order : -order) || compareNames(a.name, b.name) || a.uuid.localeCompare(b.uuid);
  };
  return [...players].sort(compare);
}

const folded = (text: string): string => text.normalize("NFKC").toLowerCase().trim();

/** Players with a text anywhere in their names, in upper or lower case. */
export function findPlayers(players: readonly PlayerData[], text: string): readonly PlayerData[] {
  const wanted = folded(text);
  return wanted === "" ? players : players.filter(({ name }) => folded(name).includes(wanted));
}
