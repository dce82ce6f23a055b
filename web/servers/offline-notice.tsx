import * as format from "../platform/format.ts";
import { texts } from "../platform/texts.ts";
import type { Seen } from "./game-server.ts";

/** Said wherever the game is needed and not there. */
export function OfflineNotice({ game }: { game: Seen }) {
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
