import type { PlayerRow } from "../../../../shared/facts.ts";
import type { PlayerRowReport } from "./known-players.ts";

/** Whether a row belongs to another visit. One without `since` counts as the same visit. */
export const isOtherVisit = (row: PlayerRow, stay: { since?: number }): boolean =>
  row.since !== undefined && row.since !== stay.since;

export const hasFallen = (row: PlayerRow, before: PlayerRow | undefined): boolean =>
  before !== undefined &&
  (["deaths", "playerKills", "playtimeSeconds"] as const).some(figure => row[figure] < before[figure]);

/** The report about a player in a row. */
export const reportOf = (
  row: PlayerRow,
  at: Pick<PlayerRowReport, "server" | "at"> & { isJoin?: boolean },
): PlayerRowReport => ({
  isJoin: false,
  ...at,
  since: row.since,
  name: row.player.name,
  hidden: row.hidden === true,
  persistentId: row.player.persistentId,
  figures: [row.deaths, row.playerKills, row.playtimeSeconds],
});
