import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import type { Failure, KnownPlayer, KnownPlayers } from "../../client/index.ts";
import { useLatest, usePolling } from "../platform/hooks.ts";
import type { Place, Sort } from "../platform/route.ts";
import { ANSWER_MS, client } from "../service/service.ts";

/** Players of a page; whoever wants more asks for them. */
const PAGE = 50;
/** How often the first page is asked for again, and where nobody answers. In milliseconds. */
const AGAIN_MS = 60_000;
const RETRY_MS = 5_000;

/** Players in an order, those whose names begin so. */
interface Shown extends KnownPlayers {
  sort: Sort;
  name: string;
}

export interface KnownListing {
  /** undefined as long as there are none; of another order or beginning until those that were asked for are there */
  shown: Shown | undefined;
  isOld: boolean;
  isAsking: boolean;
  fault: Failure | undefined;
  /** Asks for the next page, or again for what could not be had. */
  ask(): void;
}

type Held = Shown & { of: string; at: number };

/** With what comes behind: one who has moved there meanwhile is told where she is now. */
function joined(before: readonly KnownPlayer[], more: readonly KnownPlayer[]): KnownPlayer[] {
  const told = new Set(more.map(({ uuid }) => uuid));
  return [...before.filter(({ uuid }) => !told.has(uuid)), ...more];
}

/** Reads of everybody who has been here in the order that the place names, as long as that is wanted. */
export function useKnownList(
  { sort, name }: Pick<Place, "sort" | "name">,
  key: string | undefined,
  isWanted: boolean,
): KnownListing {
  const of = JSON.stringify([name === "" ? sort : "", name, key]);
  const [held, setHeld] = useState<Held | undefined>(undefined);
  const [asking, setAsking] = useState<string | undefined>(undefined);
  const [failed, setFailed] = useState<{ of: string; at: number; fault: Failure } | undefined>(undefined);
  const latest = useLatest({ of, held, failed });
  const fault = failed?.of === of ? failed.fault : undefined;
  const isBusy = asking === of;
  const busy = useRef(isBusy);
  busy.current = isBusy;

  const read = useCallback(
    async (after?: string) => {
      busy.current = true;
      setAsking(of);
      const answer = await client.knownPlayers(
        {
          ...(name === "" ? { sort } : { sort: "name", name }),
          ...(key !== undefined && { key }),
          ...(after !== undefined && { after }),
          limit: PAGE,
        },
        { timeoutMs: ANSWER_MS },
      );
      setAsking(now => (now === of ? undefined : now));
      if (latest.current.of !== of) return;
      const at = Date.now();
      setFailed(answer.ok ? undefined : { of, at, fault: answer });
      if (!answer.ok) return;
      const { value } = answer;
      setHeld(before => ({
        ...value,
        ...(after !== undefined && before?.of === of && { players: joined(before.players, value.players) }),
        ...{ of, at, sort, name },
      }));
    },
    [of, latest],
  );
  const readFirst = useCallback(async () => {
    const { held, failed } = latest.current;
    if (busy.current || (failed?.of === of && Date.now() - failed.at < RETRY_MS / 2)) return;
    // Whoever reads on further down keeps what is there.
    const isFresh = held?.of === of && (held.players.length > PAGE || Date.now() - held.at < AGAIN_MS / 2);
    if (!isFresh) await read();
  }, [of, latest, read]);
  usePolling(fault?.status === 0 ? RETRY_MS : AGAIN_MS, readFirst, isWanted);

  return useMemo(
    () => ({
      shown: held,
      isOld: held?.of !== of,
      isAsking: isBusy,
      fault,
      ask() {
        if (!busy.current) void read((held?.of === of && held.next) || undefined);
      },
    }),
    [held, of, isBusy, fault, read],
  );
}
