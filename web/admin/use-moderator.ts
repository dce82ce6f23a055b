import { useCallback, useEffect, useState } from "preact/hooks";
import type { ServiceSettings } from "../../client/types.ts";
import { client } from "../service/service.ts";
import type { Session } from "../service/session.ts";

interface ModeratorState {
  /** the name of the player by whose link this browser may moderate; undefined: it may not */
  moderator: string | undefined;
  /** Reads that again. */
  read(): Promise<void>;
}

/** Whether this browser may moderate by its link; only read where there are players who may. */
export function useModerator({ moderators }: ServiceSettings, { begun }: Session): ModeratorState {
  const [moderator, setModerator] = useState<string | undefined>(undefined);
  const read = useCallback(async () => {
    if (!moderators) return;
    const session = await client.session();
    if (!session.ok && session.code !== "missing_session") return;
    const { scopes, player } = session.ok ? session.value : { scopes: [], player: null };
    setModerator(scopes.length > 0 ? player?.name : undefined);
  }, [moderators]);
  useEffect(() => {
    void begun.then(read);
  }, [begun, read]);
  return { moderator, read };
}
