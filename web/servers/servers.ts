import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { ListedServer, PlayerData, ServiceSettings, ShownServer } from "../../client/types.ts";
import { namedServer, nameServer } from "../platform/address.ts";
import { usePolling } from "../platform/hooks.ts";
import { ANSWER_MS, client } from "../service/service.ts";
import type { Game, Seen } from "./game-server.ts";

export const titleOf = ({ title, name }: ShownServer): string => title ?? name;

/** The game servers behind the service; a page of one alone asks for nothing of that. */
export interface Servers {
  /** those that can be chosen, the first one first; empty where there is one alone */
  all: readonly ShownServer[];
  /** undefined where there is one alone */
  chosen: ShownServer | undefined;
  /** name of the chosen one; undefined: it is the first one, which is asked as if there were no other */
  of: string | undefined;
  choose(name: string): void;
  /** how they do, by their names; nothing while that is not known */
  listed: ReadonlyMap<string, ListedServer> | undefined;
  /** who is online on any of them, where that is wanted */
  players: readonly PlayerData[];
}

/** How often the page asks how all of them do: the one that is chosen tells by itself. In milliseconds. */
const ASK_EVERY_MS = 10_000;

const NONE: readonly ShownServer[] = [];

/** The one in the address of the page, or else the first one. */
function inAddress(all: readonly ShownServer[]): ShownServer | undefined {
  const name = namedServer();
  return all.find(one => one.name === name) ?? all[0];
}

/** Follows the game servers, and which of them is chosen. `wantsPlayers`: also who is online on any of them. */
export function useServers(
  { servers: all = NONE, refreshMs }: ServiceSettings,
  wantsPlayers: boolean,
): Servers {
  const [chosen, setChosen] = useState(() => inAddress(all));
  const [listed, setListed] = useState<Servers["listed"]>(undefined);
  const [players, setPlayers] = useState<Servers["players"]>([]);

  useEffect(() => {
    const follow = (): void => setChosen(inAddress(all));
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, [all]);

  const choose = useCallback(
    (name: string) => {
      nameServer(name);
      setChosen(inAddress(all));
    },
    [all],
  );

  const ask = useCallback(async () => {
    const answer = await client.servers({ timeoutMs: ANSWER_MS });
    // Nobody is told for longer what nobody says any more.
    setListed(answer.ok ? new Map(answer.value.map(one => [one.name, one])) : undefined);
    if (!wantsPlayers || !answer.ok) return;
    const there = answer.value.filter(({ state }) => state === "online");
    const lists = await Promise.all(
      there.map(({ name }) => client.server(name).players({ timeoutMs: ANSWER_MS })),
    );
    setPlayers(lists.flatMap(list => (list.ok ? list.value : [])));
  }, [wantsPlayers]);
  usePolling(Math.max(ASK_EVERY_MS, refreshMs), ask, all.length > 0);

  const of = chosen === all[0] ? undefined : chosen?.name;
  return useMemo(
    () => ({ all, chosen, of, choose, listed, players }),
    [all, chosen, of, choose, listed, players],
  );
}

/** The game as those see it who look for a player on any server. `game`: the chosen one. */
export function everywhere({ all, listed, players }: Servers, game: Game): Seen {
  if (all.length === 0 || listed === undefined || game.is === "unreachable") return game;
  const isThere = game.is === "online" || [...listed.values()].some(({ state }) => state === "online");
  return isThere ? { is: "online", players } : { is: "away", lastSeen: undefined };
}
