import type { KnownPlayer } from "../../client/index.ts";
import * as format from "../platform/format.ts";
import type { Sort } from "../platform/route.ts";
import { texts } from "../platform/texts.ts";

export function sortTitle(sort: Sort): string {
  const { playtimeSeconds: playtime, playerKills: kills, deaths, name } = texts.columns;
  const { visits, seenLast, firstSeen } = texts;
  const titles = { playtime, kills, deaths, name, visits, "last-seen": seenLast, "first-seen": firstSeen };
  return titles[sort];
}

/** A figure of a player that players can be sorted by. */
interface PlayerFigure {
  sort: Sort;
  value: number;
  text: string;
}

export const figuresOf = (player: KnownPlayer): PlayerFigure[] => [
  { sort: "playtime", value: player.playtimeSeconds, text: format.playtime(player.playtimeSeconds) },
  { sort: "kills", value: player.playerKills, text: format.count(player.playerKills) },
  { sort: "deaths", value: player.deaths, text: format.count(player.deaths) },
  { sort: "visits", value: player.visits, text: format.count(player.visits) },
];

/** How long ago a player was online, or that they are. */
export function LastSeen({ player: { online, lastSeen }, now }: { player: KnownPlayer; now: number }) {
  if (!online)
    return (
      <time class="last-seen" dateTime={new Date(lastSeen).toISOString()} title={format.dayAndTime(lastSeen)}>
        {format.ago(lastSeen, now)}
      </time>
    );
  return (
    <span class="last-seen online">
      <span class="dot" aria-hidden="true" />
      {texts.offered}
    </span>
  );
}
