import { MAX_SNAPSHOT_PARTS, NAMES_PART, SNAPSHOT_PART_PLAYERS } from "../shared/limits.ts";
import { utf8Bytes } from "../shared/text.ts";
import type { StatsEntry } from "./players/player-records.ts";

const WIDE = /[\u0080-\uffff]/;

/** Bytes of a string in UTF-8. The engine looks for wide characters much faster than a loop here could count. */
export function byteSize(text: string): number {
  return WIDE.test(text) ? utf8Bytes(text) : text.length;
}

/**
 * A player's row. `who`: the JSON of the player, which stays the same; `blocked`: undefined is not told. Who may want to be hidden,
 * as long as that is not known, is.
 */
export function encodeRow(
  who: string,
  own: StatsEntry,
  health: number,
  playtimeSeconds: number,
  blocked: boolean | undefined,
): string {
  const { deaths, kills, hidden, since, loaded } = own;
  const chosen =
    (hidden === false ? "" : ',"hidden":true') + (blocked === undefined ? "" : `,"blocked":${blocked}`);
  const visit = loaded && since !== undefined ? `,"since":${since}` : "";
  // Put together at once, which the engine does faster: this is done for every player, all the time.
  return `{"player":${who},"health":${health},"deaths":${deaths},"playerKills":${kills},"playtimeSeconds":${playtimeSeconds}${chosen}${visit}}`;
}

/** The same of a player who has joined; `row`: JSON. */
export const encodeJoined = (row: string): string => `{"is":"joined","row":${row}}`;

/** A player who has left; `row`: JSON. */
export const encodeLeft = (id: string, row: string | undefined): string =>
  `{"is":"left","id":${JSON.stringify(id)}${row === undefined ? "" : `,"row":${row}`}}`;

/**
 * The parts of a snapshot. The rows come as JSON already, since they are read and encoded over several ticks.
 * Players beyond what one snapshot can hold are left out.
 */
export function encodeSnapshot(tps: number, rows: readonly string[]): string[] {
  const parts = Math.min(MAX_SNAPSHOT_PARTS, Math.max(1, Math.ceil(rows.length / SNAPSHOT_PART_PLAYERS)));
  return Array.from({ length: parts }, (_, part) => {
    const own = rows.slice(part * SNAPSHOT_PART_PLAYERS, (part + 1) * SNAPSHOT_PART_PLAYERS);
    return `{"is":"snapshot","tps":${tps},"part":${part},"parts":${parts},"rows":[${own.join(",")}]}`;
  });
}

const NAMES_BYTES = 32 * 1024;

/** Splits names into lists that each fit into one fact. */
export function splitNames(names: readonly string[]): string[][] {
  const parts: string[][] = [];
  let part: string[] = [];
  let bytes = 0;
  for (const name of names) {
    // An escaped character can take six bytes; to count them would cost a tick on a long list.
    const own = 6 * name.length + 3;
    if (part.length > 0 && (part.length >= NAMES_PART || bytes + own > NAMES_BYTES)) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(name);
    bytes += own;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
