import type { PlayerData } from "../../client/index.ts";
import type { SessionData } from "../../client/types.ts";
import { useKnown } from "../known/known-players.ts";
import * as format from "../platform/format.ts";
import { playerHash } from "../platform/route.ts";
import { texts } from "../platform/texts.ts";
import { Head } from "../players/player-head.tsx";

interface Props {
  /** only while they are online */
  player: PlayerData | undefined;
  /** the link, as soon as it is known */
  linked: SessionData | undefined;
  /** whether only linked players may write into the chat */
  mayWrite: boolean;
}

/** The linked player, and what the link gives. */
export function PlayerCard({ player, linked, mayWrite }: Props) {
  const who = player ?? linked?.player;
  const isKnown = useKnown() !== undefined;
  const since = linked?.linkedAt ?? undefined;
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
      {who && (
        <p class="name">
          <Head uuid={who.uuid} />
          <bdi>{who.name}</bdi>
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
      {who && isKnown && (
        <p>
          <a class="to-player" href={playerHash(who.uuid)}>
            {texts.playerPage}
          </a>
        </p>
      )}
      <ul class="gives">
        <li>{texts.givesName}</li>
        {mayWrite && <li>{texts.givesChat}</li>}
      </ul>
    </div>
  );
}
