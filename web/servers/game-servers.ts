import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { ListedServer, PlayerData, SelectableServer, ServiceSettings } from "../../client/types.ts";
import { serverInAddress, setServerInAddress } from "../platform/address.ts";
import { usePolling } from "../platform/hooks.ts";
import { ANSWER_MS, client } from "../service/service.ts";
import type { GamePresence, GameState } from "./game-state.ts";

/** The game servers behind the service. Where there is only one, `all` is empty and nothing is polled. */
export interface GameServers {
  /** the first one first */
  all: readonly SelectableServer[];
  /** undefined where there is only one */
  chosen: SelectableServer | undefined;
  /** name of the chosen one; undefined where it is the first one, whose calls need no name */
  otherServer: string | undefined;
  choose(name: string): void;
  /** their states by name; undefined while they are unknown */
  states: ReadonlyMap<string, ListedServer> | undefined;
  /** online on any of them, where that is wanted */
  players: readonly PlayerData[];
}

/** How often the states of all servers are polled, in milliseconds: the chosen one is followed over the feed. */
const POLL_MS = 10_000;

const NONE: readonly SelectableServer[] = [];

/** The one in the address of the page, or else the first one. */
function inAddress(all: readonly SelectableServer[]): SelectableServer | undefined {
  const name = serverInAddress();
  return all.find(one => one.name === name) ?? all[0];
}

/** Follows the game servers, and which of them is chosen. `wantsPlayers`: also who is online on any of them. */
export function useGameServers(
  { servers: all = NONE, refreshMs }: ServiceSettings,
  wantsPlayers: boolean,
): GameServers {
  const [chosen, setChosen] = useState(() => inAddress(all));
  const [states, setStates] = useState<GameServers["states"]>(undefined);
  const [players, setPlayers] = useState<GameServers["players"]>([]);

  useEffect(() => {
    const follow = (): void => setChosen(inAddress(all));
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, [all]);

  const choose = useCallback(
    (name: string) => {
      setServerInAddress(name);
      setChosen(inAddress(all));
    },
    [all],
  );

  const poll = useCallback(async () => {
    const answer = await client.servers({ timeoutMs: ANSWER_MS });
    setStates(answer.ok ? new Map(answer.value.map(one => [one.name, one])) : undefined);
    if (!wantsPlayers || !answer.ok) return;
    const online = answer.value.filter(({ state }) => state === "online");
    const lists = await Promise.all(
      online.map(({ name }) => client.server(name).players({ timeoutMs: ANSWER_MS })),
    );
    setPlayers(lists.flatMap(list => (list.ok ? list.value : [])));
  }, [wantsPlayers]);
  usePolling(Math.max(POLL_MS, refreshMs), poll, all.length > 0);

  const otherServer = chosen === all[0] ? undefined : chosen?.name;
  return useMemo(
    () => ({ all, chosen, otherServer, choose, states, players }),
    [all, chosen, otherServer, choose, states, players],
  );
}

/** The presence of all game servers together. `game`: the chosen one. */
export function presenceOnAll({ all, states, players }: GameServers, game: GameState): GamePresence {
  if (all.length === 0 || states === undefined || game.is === "unreachable") return game;
  const isOnline = game.is === "online" || [...states.values()].some(({ state }) => state === "online");
  return isOnline ? { is: "online", players } : { is: "away", lastSeen: undefined };
}
