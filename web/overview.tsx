import type { HistoryPoint } from "../client/index.ts";
import { Figures } from "./figures.tsx";
import type { Game } from "./game.ts";
import { OfflineNotice } from "./offline-notice.tsx";
import { Players } from "./players.tsx";

export function Overview({ game, points }: { game: Game; points: readonly HistoryPoint[] }) {
  return (
    <>
      <OfflineNotice game={game} />
      <Figures game={game} points={points} />
      <Players game={game} />
    </>
  );
}
