import type { KnownPlayer } from "../../client/index.ts";
import * as format from "../platform/format.ts";
import type { Sort } from "../platform/route.ts";
import { texts } from "../platform/texts.ts";

/** What players are sorted by, in words. */
export function titleOf(sort: Sort): string {
  const { playtimeSeconds: playtime, playerKills: kills, deaths, name } = texts.columns;
  const { visits, seenLast, firstSeen } = texts;
  const titles = { playtime, kills, deaths, name, visits, "last-seen": seenLast, "first-seen": firstSeen };
  return titles[sort];
}

/** A figure of a player by which players can be sorted, and as it is shown. */
export interface Figure {
  sort: Sort;
  value: number;
  text: string;
}

export const figuresOf = (player: KnownPlayer): Figure[] => [
  { sort: "playtime", value: player.playtimeSeconds, text: format.playtime(player.playtimeSeconds) },
  { sort: "kills", value: player.playerKills, text: format.count(player.playerKills) },
  { sort: "deaths", value: player.deaths, text: format.count(player.deaths) },
  { sort: "visits", value: player.visits, text: format.count(player.visits) },
];

/** That a player is online, or how long ago that was. */
export function Seen({ player: { online, lastSeen }, now }: { player: KnownPlayer; now: number }) {
  if (!online)
    return (
      <time class="seen" dateTime={new Date(lastSeen).toISOString()} title={format.dayAndTime(lastSeen)}>
        {format.ago(lastSeen, now)}
      </time>
    );
  return (
    <span class="seen online">
      <span class="dot" aria-hidden="true" />
      {texts.offered}
    </span>
  );
}
