import { useCallback, useState } from "preact/hooks";
import type { PlayerData, ServiceSettings } from "../../client/types.ts";
import { usePolling } from "../platform/hooks.ts";
import type { GamePresence } from "../servers/game-state.ts";
import { ANSWER_MS, client } from "../service/service.ts";

const POLL_MS = 10_000;

/** The players online on any game server. */
export function useOnlinePlayers({ servers }: ServiceSettings): GamePresence {
  const [presence, setPresence] = useState<GamePresence>({ is: "loading" });
  const poll = useCallback(async () => {
    const clients = servers ? servers.map(({ name }) => client.server(name)) : [client];
    const lists = await Promise.all(clients.map(one => one.players({ timeoutMs: ANSWER_MS })));
    const known = lists.flatMap((list): PlayerData[][] => (list.ok ? [list.value] : []));
    // The sign-in itself shows whether the service answers.
    if (known.length > 0) setPresence({ is: "online", players: known.flat() });
    else if (lists.some(list => !list.ok && list.status === 503))
      setPresence({ is: "away", lastSeen: undefined });
  }, [servers]);
  usePolling(POLL_MS, poll);
  return presence;
}
