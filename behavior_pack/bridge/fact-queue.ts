import type { Fact } from "../../shared/facts.ts";
import { FACTS_BODY_BYTES, MAX_FACTS } from "../../shared/limits.ts";
import { byteSize } from "../encode.ts";

/** Most lines of chat that wait to be sent. */
export const MAX_WAITING_CHAT = 1000;

/** Most bytes of chat that wait to be sent. */
export const MAX_WAITING_CHAT_BYTES = 256 * 1024;

/** Most deaths that wait to be sent. */
export const MAX_WAITING_DEATHS = 100;

/** How long a fact may wait for others to go with, in milliseconds: a second, with the tick in which that is over. */
export const RIDE_MS = 950;

/** What a snapshot becomes that is out of date: the first part of one of which nothing more comes. */
const STALE = '{"is":"snapshot","tps":0,"part":0,"parts":2,"rows":[]}';

interface QueuedFact {
  kind: Fact["is"];
  text: string;
  bytes: number;
  /** where it is for one session only: called when that ends before it is acknowledged */
  lost?: (() => void) | undefined;
  /** called once it is acknowledged */
  received?: (() => void) | undefined;
  /** number of the snapshot that this is part of, else 0 */
  snapshot: number;
}

/** Facts to be put into one request, encoded. */
interface Batch {
  /** `seq` of the first one */
  first: number;
  texts: string[];
}

export type FactQueue = ReturnType<typeof createFactQueue>;

/**
 * Facts on their way to the sidecar. A fact gets its `seq` when it is first sent and then keeps it and its content
 * until it is acknowledged; only facts that were never sent can be dropped.
 */
export function createFactQueue() {
  let first = 1;
  let sent: QueuedFact[] = [];
  let waiting: QueuedFact[] = [];
  // How many of `sent` are to go one by one.
  let alone = 0;
  let chatLines = 0;
  let chatBytes = 0;
  let deaths = 0;
  let dropped = 0;
  let snapshots = 0;
  // Wall time by which what waits has to be sent; infinite as long as nothing does.
  let dueAt = Infinity;
  // The snapshot of which a part was sent last: its other parts have to follow.
  let begun = 0;

  function count(fact: QueuedFact, by: 1 | -1): void {
    if (fact.kind === "died") deaths += by;
    if (fact.kind !== "said") return;
    chatLines += by;
    chatBytes += by * fact.bytes;
  }

  function fill(): void {
    let bytes = 0;
    let taken = 0;
    for (const fact of waiting) {
      if (taken >= MAX_FACTS || (taken > 0 && bytes + fact.bytes + 1 > FACTS_BODY_BYTES)) break;
      bytes += fact.bytes + 1;
      taken++;
      count(fact, -1);
      if (fact.snapshot > 0) begun = fact.snapshot;
    }
    sent = waiting;
    waiting = taken < sent.length ? sent.splice(taken) : [];
    dueAt = waiting.length > 0 ? 0 : Infinity;
  }

  return {
    /**
     * Adds a fact that is encoded already; with `lost`, one for this session only; with `by`, one that may wait until that
     * wall time for others; `received` is called once it is acknowledged. Of too much waiting chat the oldest line is dropped,
     * and of too many deaths this one.
     */
    push(kind: Fact["is"], text: string, lost?: () => void, by = 0, received?: () => void) {
      if (kind === "died" && deaths >= MAX_WAITING_DEATHS) return;
      const fact: QueuedFact = { kind, text, bytes: byteSize(text), lost, received, snapshot: 0 };
      waiting.push(fact);
      dueAt = Math.min(dueAt, by);
      count(fact, 1);
      while (chatLines > MAX_WAITING_CHAT || chatBytes > MAX_WAITING_CHAT_BYTES) {
        const [oldest] = waiting.splice(
          waiting.findIndex(other => other.kind === "said"),
          1,
        );
        if (oldest === undefined) break;
        count(oldest, -1);
        dropped++;
      }
    },
    /**
     * Adds the parts of a snapshot, in the place of an older one of which nothing was sent. `isWide`: there may be characters
     * in them of more than a byte.
     */
    pushSnapshot(texts: readonly string[], isWide = true) {
      snapshots++;
      waiting = waiting.filter(fact => fact.snapshot === 0 || fact.snapshot === begun);
      for (const text of texts) {
        const bytes = isWide ? byteSize(text) : text.length;
        waiting.push({ kind: "snapshot", text, bytes, snapshot: snapshots });
      }
      dueAt = 0;
    },
    /**
     * What to send at wall time `now`: what was sent and not acknowledged, else as much as fits. Undefined: nothing is to go
     * yet.
     */
    take(now: number): Batch | undefined {
      if (sent.length === 0) {
        // A clock that was set back must not hold up what waits.
        if (waiting.length === 0 || (now < dueAt && now >= dueAt - RIDE_MS)) return undefined;
        alone = 0;
        fill();
      }
      const batch = alone > 0 ? sent.slice(0, 1) : sent;
      return { first, texts: batch.map(fact => fact.text) };
    },
    /** Forgets everything up to `received`. */
    acknowledge(received: number) {
      const known = Math.min(received - first + 1, sent.length);
      if (known <= 0) return;
      for (let i = 0; i < known; i++) sent[i]?.received?.();
      sent = sent.slice(known);
      first += known;
      alone = Math.max(0, alone - known);
    },
    /**
     * The sidecar refused what `take` gave. Of several facts, each is sent alone from now on; a single one is dropped
     * and its kind returned. Nothing after it was taken by the sidecar, so its `seq` goes to the next one.
     */
    refuse(): Fact["is"] | undefined {
      if (sent.length > 1 && alone === 0) {
        alone = sent.length;
        return undefined;
      }
      alone = Math.max(0, alone - 1);
      return sent.shift()?.kind;
    },
    /** The answer to a hello came: nothing is right any more in snapshots of before. */
    outdate() {
      waiting = waiting.filter(fact => fact.snapshot === 0);
      for (const fact of sent) if (fact.snapshot > 0) fact.text = STALE;
    },
    /** Another session begins, which knows no number yet: drops the facts that were for the one before. */
    renew() {
      const all = [...sent, ...waiting];
      sent = sent.filter(fact => fact.lost === undefined);
      waiting = waiting.filter(fact => fact.lost === undefined);
      for (const fact of all) fact.lost?.();
    },
    /** `seq` of the oldest fact held, or of the next one. */
    first: () => first,
    /** Lines of chat dropped since this was last asked. */
    takeDropped(): number {
      const lines = dropped;
      dropped = 0;
      return lines;
    },
    size: () => sent.length + waiting.length,
  };
}
