import type { HistoryPoint } from "../client/index.ts";
import { Figures } from "./figures.tsx";
import type { Game } from "./game.ts";
import { OfflineNotice } from "./offline-notice.tsx";
import { Players } from "./players.tsx";

interface Props {
  game: Game;
  /** nothing until they are known */
  points: readonly HistoryPoint[] | undefined;
  /** players that fit in, where that is known */
  maxPlayers: number | undefined;
}

export function Overview({ game, points, maxPlayers }: Props) {
  return (
    <>
      <Figures game={game} points={points} maxPlayers={maxPlayers} />
      <Players game={game} />
      {/* It comes and goes, and pushes nothing about. */}
      <OfflineNotice game={game} />
    </>
  );
}
