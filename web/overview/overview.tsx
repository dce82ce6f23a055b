import { useState } from "preact/hooks";
import type { HistoryPoint, HistorySpan } from "../../client/index.ts";
import { SPANS, setSpanInAddress, spanInAddress } from "../platform/address.ts";
import { texts } from "../platform/texts.ts";
import { Players } from "../players/players.tsx";
import type { GameState } from "../servers/game-state.ts";
import { OfflineNotice } from "../servers/offline-notice.tsx";
import { Figures } from "./figures.tsx";
import { useRollups } from "./use-rollups.ts";

interface Props {
  game: GameState;
  /** of the last hour; undefined until they have loaded */
  points: readonly HistoryPoint[] | undefined;
  /** undefined where it is unknown */
  maxPlayers: number | undefined;
  /** name of the game server, unless it is the first one */
  otherServer: string | undefined;
}

/** The page of a game server: figures over a span of time, and players. */
export function Overview({ game, points, maxPlayers, otherServer }: Props) {
  const [span, setSpan] = useState(spanInAddress);
  const rollups = useRollups(span, otherServer);
  const choose = (next: HistorySpan): void => {
    setSpan(next);
    setSpanInAddress(next);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is sent, and draws a frame */}
      <div class="spans" role="group" aria-label={texts.period}>
        {SPANS.map(one => (
          <button key={one} type="button" aria-pressed={one === span} onClick={() => choose(one)}>
            {texts.spans[one]}
          </button>
        ))}
      </div>
      <Figures game={game} points={points} span={span} rollups={rollups} maxPlayers={maxPlayers} />
      <Players game={game} />
      {/* At the end, where it moves nothing as it comes and goes. */}
      <OfflineNotice game={game} />
    </>
  );
}
