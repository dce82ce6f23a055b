import {
  type KnownPlayer,
  type KnownPlayerData,
  MAX_STAYS,
} from "../../../../shared/public/known-players.ts";
import { figuresOf, isListed, isPresent, type KnownRecord, type Visit } from "./known-players.ts";

export const KNOWN_SORTS = [
  "last-seen",
  "first-seen",
  "playtime",
  "kills",
  "deaths",
  "visits",
  "name",
] as const;
export type KnownSort = (typeof KNOWN_SORTS)[number];

/** Whether a player is online, offline and listed, or offline and not listed. */
type ListStatus = "present" | "listed" | "unlisted";

export function listStatusOf(record: KnownRecord): ListStatus {
  if (isPresent(record)) return "present";
  return isListed(record) ? "listed" : "unlisted";
}

/** A position in a sort order: by key, ascending, then by uuid. */
export interface Place {
  /** a name, compared by code units, or a number */
  key: number | string;
  uuid: string;
}

/** Sorts before every time. */
const NOW = -Number.MAX_SAFE_INTEGER;

/** The sort key of a player. All online players share one for last seen, so that their order does not change with each report. */
export function keyOf(player: KnownPlayer, sort: KnownSort): Place["key"] {
  switch (sort) {
    case "last-seen":
      return player.online ? NOW : -player.lastSeen;
    case "first-seen":
      return player.firstSeen;
    case "playtime":
      return -player.playtimeSeconds;
    case "kills":
      return -player.playerKills;
    case "deaths":
      return -player.deaths;
    case "visits":
      return -player.visits;
    case "name":
      return player.name;
    default:
      return sort satisfies never;
  }
}

/** Negative if `one` comes before `other`. */
export function compare(one: Place, other: Place): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  if (one.uuid === other.uuid) return 0;
  return one.uuid < other.uuid ? -1 : 1;
}

/** The form of a name for prefix searches. */
export const lowered = (name: string): string => name.toLowerCase();

/** The public form of a player. */
export function playerOf(uuid: string, record: KnownRecord, online: boolean): KnownPlayer {
  const [deaths = 0, playerKills = 0, playtimeSeconds = 0] = figuresOf(record);
  const { name, first: firstSeen, last: lastSeen, visits } = record;
  return { name, uuid, online, firstSeen, lastSeen, visits, playtimeSeconds, deaths, playerKills };
}

/**
 * The visits of a player, newest first.
 * @param isOn whether the player is online on a game server
 */
export function visitsOf(
  { servers }: KnownRecord,
  ended: readonly Visit[],
  isOn: (server: string) => boolean,
): NonNullable<KnownPlayerData["stays"]> {
  const open = Object.entries(servers).flatMap(([server, { stay }]) =>
    stay && !stay.uncounted ? [{ from: stay.from, to: isOn(server) ? null : stay.heard }] : [],
  );
  return [...open, ...ended].sort((one, other) => other.from - one.from).slice(0, MAX_STAYS);
}
