import * as format from "../platform/format.ts";
import { texts } from "../platform/texts.ts";
import type { GamePresence } from "./game-state.ts";

/** Explains that the game server is away, or that the service cannot be reached. */
export function OfflineNotice({ game }: { game: GamePresence }) {
  if (game.is !== "away" && game.is !== "unreachable") return null;
  return (
    <div class={`notice ${game.is}`}>
      <strong>{texts.server[game.is]}</strong>
      <p>
        {game.is === "away" ? texts.awayHint : texts.unreachableHint}{" "}
        {game.lastSeen === undefined ? "" : texts.lastSeen(format.clock(game.lastSeen))}
      </p>
    </div>
  );
}
