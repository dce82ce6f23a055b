import { useKnownPlayers } from "../known/known-players.ts";
import { playerHash } from "../platform/route.ts";
import { Name } from "./name.tsx";
import { PlayerHead } from "./player-head.tsx";

/** Head and name of a player, with a link to the player's page where the visitor may see it. */
export function PlayerName({ uuid, name }: { uuid: string; name: string }) {
  const hasPage = useKnownPlayers() !== undefined;
  const content = (
    <>
      <PlayerHead uuid={uuid} />
      <Name name={name} />
    </>
  );
  if (!hasPage) return content;
  return (
    <a class="player-link" href={playerHash(uuid)}>
      {content}
    </a>
  );
}
