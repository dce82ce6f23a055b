import type { PlayerData } from "../client/index.ts";
import * as format from "./format.ts";
import { Head } from "./head.tsx";
import { texts } from "./texts.ts";

interface Props {
  /** only while they are online */
  player: PlayerData | undefined;
  /** when this browser saw the link begin, in milliseconds since 1970 */
  since: number | undefined;
  /** whether only linked players may write into the chat */
  mayWrite: boolean;
}

/** The linked player, and what the link gives. */
export function PlayerCard({ player, since, mayWrite }: Props) {
  const figures: [string, string][] = player
    ? [
        [texts.columns.health, texts.hearts(player.health)],
        [texts.columns.playerKills, format.count(player.playerKills)],
        [texts.columns.deaths, format.count(player.deaths)],
        [texts.columns.playtimeSeconds, format.playtime(player.playtimeSeconds)],
      ]
    : [];
  if (since !== undefined) figures.push([texts.linkedSince, format.day(since)]);
  return (
    <div class="player-card">
      {player && (
        <p class="name">
          <Head uuid={player.uuid} />
          <bdi>{player.name}</bdi>
        </p>
      )}
      <p>{player ? texts.acceptedAs(player.name) : texts.acceptedOffline}</p>
      {figures.length > 0 && (
        <dl>
          {figures.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <ul class="gives">
        <li>{texts.givesName}</li>
        {mayWrite && <li>{texts.givesChat}</li>}
      </ul>
    </div>
  );
}
