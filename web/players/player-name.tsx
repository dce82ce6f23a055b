import { useKnown } from "../known/known-players.ts";
import { playerHash } from "../platform/route.ts";
import { Head } from "./player-head.tsx";

/** Head and name of a player; they lead to the player's page, for whom there is one. */
export function PlayerName({ uuid, name }: { uuid: string; name: string }) {
  const isKnown = useKnown() !== undefined;
  const both = (
    <>
      <Head uuid={uuid} />
      <bdi>{name}</bdi>
    </>
  );
  return isKnown ? (
    <a class="to-player" href={playerHash(uuid)}>
      {both}
    </a>
  ) : (
    both
  );
}
