import { useState } from "preact/hooks";
import type { HistoryPoint, HistorySpan } from "../../client/index.ts";
import { namedSpan, nameSpan } from "../platform/address.ts";
import { Players } from "../players/players.tsx";
import type { Game } from "../servers/game-server.ts";
import { OfflineNotice } from "../servers/offline-notice.tsx";
import { Figures } from "./figures.tsx";
import { SpanButtons } from "./span-buttons.tsx";
import { useMeans } from "./use-rollups.ts";

interface Props {
  game: Game;
  /** of the last hour; nothing until they are known */
  points: readonly HistoryPoint[] | undefined;
  /** players that fit in, where that is known */
  maxPlayers: number | undefined;
  /** the game server, where it is not the first one */
  of: string | undefined;
}

export function Overview({ game, points, maxPlayers, of }: Props) {
  const [span, setSpan] = useState(namedSpan);
  const means = useMeans(span, of);
  const choose = (next: HistorySpan): void => {
    setSpan(next);
    nameSpan(next);
  };
  return (
    <>
      <SpanButtons span={span} onSpan={choose} />
      <Figures game={game} points={points} span={span} means={means} maxPlayers={maxPlayers} />
      <Players game={game} />
      {/* It comes and goes, and pushes nothing about. */}
      <OfflineNotice game={game} />
    </>
  );
}
