import type { PlayerData, SessionData } from "../../client/index.ts";
import { useKnownPlayers } from "../known/known-players.ts";
import * as format from "../platform/format.ts";
import { playerHash } from "../platform/route.ts";
import { texts } from "../platform/texts.ts";
import { Name } from "../players/name.tsx";
import { PlayerHead } from "../players/player-head.tsx";
import { FigureList } from "../ui/figure-list.tsx";

interface Props {
  /** only while the player is online */
  player: PlayerData | undefined;
  /** the link, once it is known */
  linked: SessionData | undefined;
  /** whether only linked players may write in the chat */
  mayWrite: boolean;
}

/** The linked player, and the benefits of the link. */
export function PlayerCard({ player, linked, mayWrite }: Props) {
  const identity = player ?? linked?.player;
  const hasPage = useKnownPlayers() !== undefined;
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
      {identity && (
        <p class="name">
          <PlayerHead uuid={identity.uuid} />
          <Name name={identity.name} />
        </p>
      )}
      <p>{player ? texts.acceptedAs(player.name) : texts.acceptedOffline}</p>
      {figures.length > 0 && <FigureList figures={figures} />}
      {identity && hasPage && (
        <p>
          <a class="player-link" href={playerHash(identity.uuid)}>
            {texts.playerPage}
          </a>
        </p>
      )}
      <ul class="benefits">
        <li>{texts.givesName}</li>
        {mayWrite && <li>{texts.givesChat}</li>}
      </ul>
    </div>
  );
}
