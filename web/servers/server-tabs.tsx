import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { SelectableServer } from "../../client/types.ts";
import { texts } from "../platform/texts.ts";
import type { GameServers } from "./game-servers.ts";
import type { GameState } from "./game-state.ts";
import { titleOf } from "./server-titles.ts";

const PANEL = "server-panel";
const idOf = ({ name }: SelectableServer): string => `server-${name}`;

/** How many players are online on a server, if that is known. */
function playersOn(server: SelectableServer, { chosen, states }: GameServers, game: GameState) {
  if (server === chosen && game.is === "online") return game.metrics.onlinePlayerCount;
  if (server === chosen && game.is === "away") return "away";
  if (game.is === "unreachable") return undefined;
  const listed = states?.get(server.name);
  return listed?.state === "away" ? "away" : (listed?.onlinePlayerCount ?? undefined);
}

function nextTab(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowRight") return (at + 1) % count;
  if (key === "ArrowLeft") return (at + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

interface Props {
  servers: GameServers;
  game: GameState;
  isVisible: boolean;
  children: ComponentChildren;
}

/** A tab for each game server, where there are several. Arrow keys move the focus; a press chooses. */
export function ServerTabs({ servers, game, isVisible, children }: Props) {
  const row = useRef<HTMLDivElement>(null);
  const { all, chosen, choose } = servers;
  // On a phone the row scrolls.
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>("[aria-selected=true]");
    if (!isVisible || !row.current || !tab) return;
    const { offsetLeft, offsetWidth } = tab;
    row.current.scrollTo({ left: offsetLeft - (row.current.clientWidth - offsetWidth) / 2 });
  }, [chosen, isVisible]);
  if (chosen === undefined) return <>{children}</>;

  const moveFocus = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
    const to = nextTab(event.key, tabs.indexOf(event.target as HTMLElement), tabs.length);
    if (to === undefined) return;
    event.preventDefault();
    tabs[to]?.focus();
  };
  return (
    <>
      <div ref={row} class="servers" role="tablist" aria-label={texts.servers} onKeyDown={moveFocus}>
        {all.map(server => {
          const players = playersOn(server, servers, game);
          const [state, text] =
            players === undefined
              ? ["no-data", texts.none]
              : players === "away"
                ? [players, texts.serverAway]
                : ["online", texts.playersOn(players)];
          return (
            <button
              key={server.name}
              type="button"
              role="tab"
              id={idOf(server)}
              class={state}
              aria-selected={server === chosen}
              aria-controls={PANEL}
              tabIndex={server === chosen ? 0 : -1}
              onClick={() => choose(server.name)}
            >
              <span class="dot" aria-hidden="true" />
              <bdi class="title">{titleOf(server)}</bdi>
              <span class="player-count">{text}</span>
            </button>
          );
        })}
      </div>
      <div role="tabpanel" id={PANEL} aria-labelledby={idOf(chosen)}>
        {children}
      </div>
    </>
  );
}
