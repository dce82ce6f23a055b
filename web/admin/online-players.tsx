import { useRef } from "preact/hooks";
import { texts } from "../platform/texts.ts";
import { Name } from "../players/name.tsx";
import { type GameState, latestFigures } from "../servers/game-state.ts";
import { QuietButton } from "../ui/quiet-button.tsx";
import type { AllowedHere } from "./permissions.ts";
import { useActions } from "./player-actions.tsx";

/** Why no player is listed. */
function emptyText({ is }: GameState): string {
  if (is === "online") return texts.nobody;
  return is === "loading" ? texts.loading : `${texts.server[is]}.`;
}

/** The players online, with buttons that kick and ban them. */
export function OnlinePlayers({ game, allowed }: { game: GameState; allowed: AllowedHere }) {
  const actions = useActions();
  const list = useRef<HTMLUListElement>(null);
  const players = [...(latestFigures(game)?.players ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1));
  // The button that had the focus goes with its player.
  const focusList = (): void => list.current?.focus();
  return (
    <>
      <h3>{texts.playersHere}</h3>
      {players.length === 0 ? (
        <p class="soft">{emptyText(game)}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll a long list
        <ul class="names" tabIndex={0} aria-label={texts.playersHere} ref={list}>
          {players.map(({ uuid, name }) => (
            <li key={uuid}>
              <Name name={name} />
              <span class="row">
                {allowed.scopes.includes("players:kick") && (
                  <QuietButton
                    label={texts.kickName(name)}
                    isDanger={true}
                    onClick={() => actions.begin({ uuid, name }, "kick", focusList)}
                  >
                    {texts.kick}
                  </QuietButton>
                )}
                {allowed.ban.length > 0 && (
                  <QuietButton
                    label={texts.banName(name)}
                    isDanger={true}
                    onClick={() => actions.begin({ uuid, name }, "ban", focusList)}
                  >
                    {texts.ban}
                  </QuietButton>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
