import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import type { Failure, KnownPlayer, KnownPlayers } from "../../client/index.ts";
import { useLatest, usePolling } from "../platform/hooks.ts";
import type { Route, Sort } from "../platform/route.ts";
import { ANSWER_MS, client } from "../service/service.ts";

const PAGE = 50;
/** How often the first page is read, and how often during an outage, in milliseconds. */
const POLL_MS = 60_000;
const RETRY_MS = 5_000;

/** Players in an order, whose names begin with `name`. */
interface LoadedPlayers extends KnownPlayers {
  sort: Sort;
  name: string;
}

export interface PlayerListing {
  /** undefined before the first answer; the previous listing until the wanted one has loaded */
  loaded: LoadedPlayers | undefined;
  /** whether `loaded` is a previous listing */
  isOld: boolean;
  isLoading: boolean;
  fault: Failure | undefined;
  /** Loads the next page, or retries after a failure. */
  load(): void;
}

/** Appends a page. A player who has moved to it since is removed from the pages before. */
function append(before: readonly KnownPlayer[], page: readonly KnownPlayer[]): KnownPlayer[] {
  const moved = new Set(page.map(({ uuid }) => uuid));
  return [...before.filter(({ uuid }) => !moved.has(uuid)), ...page];
}

/** Reads known players in the order of the route while `isWanted`. */
export function usePlayerListing(
  { sort, name }: Pick<Route, "sort" | "name">,
  key: string | undefined,
  isWanted: boolean,
): PlayerListing {
  const query = JSON.stringify([name === "" ? sort : "", name, key]);
  const [loaded, setLoaded] = useState<(LoadedPlayers & { query: string; at: number }) | undefined>(
    undefined,
  );
  const [loading, setLoading] = useState<string | undefined>(undefined);
  const [failed, setFailed] = useState<{ query: string; at: number; fault: Failure } | undefined>(undefined);
  const latest = useLatest({ query, loaded, failed });
  const fault = failed?.query === query ? failed.fault : undefined;
  const isLoading = loading === query;
  const isBusy = useRef(isLoading);
  isBusy.current = isLoading;

  const read = useCallback(
    async (after?: string) => {
      isBusy.current = true;
      setLoading(query);
      const answer = await client.knownPlayers(
        {
          ...(name === "" ? { sort } : { sort: "name", name }),
          ...(key !== undefined && { key }),
          ...(after !== undefined && { after }),
          limit: PAGE,
        },
        { timeoutMs: ANSWER_MS },
      );
      setLoading(now => (now === query ? undefined : now));
      if (latest.current.query !== query) return;
      const at = Date.now();
      setFailed(answer.ok ? undefined : { query, at, fault: answer });
      if (!answer.ok) return;
      const { value } = answer;
      setLoaded(before => ({
        ...value,
        ...(after !== undefined &&
          before?.query === query && { players: append(before.players, value.players) }),
        query,
        at,
        sort,
        name,
      }));
    },
    [query, latest],
  );
  const poll = useCallback(async () => {
    const { loaded, failed } = latest.current;
    if (isBusy.current || (failed?.query === query && Date.now() - failed.at < RETRY_MS / 2)) return;
    // A reader of later pages keeps them.
    const isFresh =
      loaded?.query === query && (loaded.players.length > PAGE || Date.now() - loaded.at < POLL_MS / 2);
    if (!isFresh) await read();
  }, [query, latest, read]);
  usePolling(fault?.status === 0 ? RETRY_MS : POLL_MS, poll, isWanted);

  return useMemo(
    () => ({
      loaded,
      isOld: loaded?.query !== query,
      isLoading,
      fault,
      load() {
        if (!isBusy.current) void read((loaded?.query === query && loaded.next) || undefined);
      },
    }),
    [loaded, query, isLoading, fault, read],
  );
}
