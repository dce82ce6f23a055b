import { Head } from "./head.tsx";
import { useKnown } from "./known.ts";
import { playerHash } from "./place.ts";

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
