import * as format from "../platform/format.ts";
import { useHasNetwork } from "../platform/hooks.ts";
import { texts } from "../platform/texts.ts";
import type { GamePresence } from "./game-state.ts";

/** Why there are no current figures: the game server is offline, the service cannot be reached, or this device has no network. */
export function useStateShown(game: GamePresence): keyof typeof texts.server {
  const hasNetwork = useHasNetwork();
  return game.is === "unreachable" && !hasNetwork ? "disconnected" : game.is;
}

/** Says why there are no current figures, and since when. */
export function OfflineNotice({ game }: { game: GamePresence }) {
  const state = useStateShown(game);
  if (state === "online" || state === "loading" || !("lastSeen" in game)) return null;
  return (
    <div class={`notice ${game.is}`}>
      <strong>{texts.server[state]}</strong>
      <p>
        {texts.offlineHint[state]}{" "}
        {game.lastSeen === undefined ? "" : texts.lastSeen(format.clock(game.lastSeen))}
      </p>
    </div>
  );
}
