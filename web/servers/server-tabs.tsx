import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ShownServer } from "../../client/types.ts";
import { texts } from "../platform/texts.ts";
import type { Game } from "./game-server.ts";
import { type Servers, titleOf } from "./servers.ts";

const PANEL = "server-panel";
const idOf = ({ name }: ShownServer): string => `server-${name}`;

/** Players online on a server; nothing where that is not known. */
function playersOn(one: ShownServer, { chosen, listed }: Servers, game: Game): number | "away" | undefined {
  if (one === chosen && game.is === "online") return game.metrics.onlinePlayerCount;
  if (one === chosen && game.is === "away") return "away";
  if (game.is === "unreachable") return undefined;
  const told = listed?.get(one.name);
  return told?.state === "away" ? "away" : (told?.onlinePlayerCount ?? undefined);
}

/** Where an arrow leads to, among so many. */
function next(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowRight") return (at + 1) % count;
  if (key === "ArrowLeft") return (at + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

/**
 * A tab for each game server above what is about one of them; that alone where there is one. Arrows lead from one tab to another,
 * and nothing is asked for before one is chosen.
 */
export function ServerTabs({
  servers,
  game,
  isShown,
  children,
}: {
  servers: Servers;
  game: Game;
  isShown: boolean;
  children: ComponentChildren;
}) {
  const row = useRef<HTMLDivElement>(null);
  const { all, chosen, choose } = servers;
  // On a phone not all of them are seen at once.
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>("[aria-selected=true]");
    if (!isShown || !row.current || !tab) return;
    const { offsetLeft, offsetWidth } = tab;
    row.current.scrollTo({ left: offsetLeft - (row.current.clientWidth - offsetWidth) / 2 });
  }, [chosen, isShown]);
  if (chosen === undefined) return <>{children}</>;

  const move = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
    const to = next(event.key, tabs.indexOf(event.target as HTMLElement), tabs.length);
    if (to === undefined) return;
    event.preventDefault();
    tabs[to]?.focus();
  };
  return (
    <>
      <div ref={row} class="servers" role="tablist" aria-label={texts.servers} onKeyDown={move}>
        {all.map(one => {
          const players = playersOn(one, servers, game);
          const state = players === undefined ? "untold" : players === "away" ? players : "online";
          return (
            <button
              key={one.name}
              type="button"
              role="tab"
              id={idOf(one)}
              class={state}
              aria-selected={one === chosen}
              aria-controls={PANEL}
              tabIndex={one === chosen ? 0 : -1}
              onClick={() => choose(one.name)}
            >
              <span class="dot" aria-hidden="true" />
              <bdi class="title">{titleOf(one)}</bdi>
              <span class="doing">
                {players === undefined
                  ? texts.none
                  : players === "away"
                    ? texts.serverAway
                    : texts.playersOn(players)}
              </span>
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
