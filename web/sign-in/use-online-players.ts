import { useCallback, useState } from "preact/hooks";
import type { PlayerData, ServiceSettings } from "../../client/types.ts";
import { usePolling } from "../platform/hooks.ts";
import type { Seen } from "../servers/game-server.ts";
import { ANSWER_MS, client } from "../service/service.ts";

const ASK_EVERY_MS = 10_000;

/** Who is online on any game server, as far as somebody who looks for a player has to know it. */
export function useOnline({ servers }: ServiceSettings): Seen {
  const [seen, setSeen] = useState<Seen>({ is: "loading" });
  const ask = useCallback(async () => {
    const calls = servers ? servers.map(({ name }) => client.server(name)) : [client];
    const lists = await Promise.all(calls.map(of => of.players({ timeoutMs: ANSWER_MS })));
    const there = lists.flatMap((list): PlayerData[][] => (list.ok ? [list.value] : []));
    // Whether the service itself answers, the sign-in says.
    if (there.length > 0) setSeen({ is: "online", players: there.flat() });
    else if (lists.some(list => !list.ok && list.status === 503))
      setSeen({ is: "away", lastSeen: undefined });
  }, [servers]);
  usePolling(ASK_EVERY_MS, ask);
  return seen;
}
