import type { HistoryPoint } from "../../client/index.ts";
import { Players } from "../players/players.tsx";
import type { GameState } from "../servers/game-state.ts";
import { Activity } from "./activity.tsx";
import { Figures } from "./figures.tsx";

interface Props {
  game: GameState;
  /** of the last hour; undefined until they have loaded */
  points: readonly HistoryPoint[] | undefined;
  /** undefined where it is unknown */
  maxPlayers: number | undefined;
  /** name of the game server, unless it is the first one */
  otherServer: string | undefined;
}

/** The page of a game server: who is online, and below it the figures. */
export const Overview = ({ game, points, maxPlayers, otherServer }: Props) => (
  <>
    <Players game={game} maxPlayers={maxPlayers} />
    <Figures game={game} points={points} maxPlayers={maxPlayers} otherServer={otherServer} />
    <Activity otherServer={otherServer} />
  </>
);
