import type { Fact } from "../../shared/facts.ts";
import { FACTS_BODY_BYTES, MAX_FACTS } from "../../shared/limits.ts";
import { utf8Bytes } from "../../shared/text.ts";

/** Most lines of chat that wait to be sent. */
const MAX_WAITING_CHAT = 1000;

/** Most bytes of chat that wait to be sent. */
const MAX_WAITING_CHAT_BYTES = 256 * 1024;

/** Most deaths that wait to be sent. */
export const MAX_WAITING_DEATHS = 100;

/** How long a fact may wait for others to be sent with, in milliseconds: a second, with the tick in which that is over. */
export const MAX_WAIT_MS = 950;

/** What replaces a part of an outdated snapshot: the first part of one that never goes on. */
const STALE = '{"is":"snapshot","tps":0,"part":0,"parts":2,"rows":[]}';

/** How a fact is sent, where not with this tick and in whichever session. */
export interface FactDelivery {
  /** wall time until which it may wait for others */
  sendBy?: number | undefined;
  /** Makes it a fact of this session only. Called when the session ends before the fact is acknowledged. */
  onLost?: (() => void) | undefined;
  /** Called once it is acknowledged. */
  onAcknowledged?: (() => void) | undefined;
}

interface QueuedFact extends FactDelivery {
  kind: Fact["is"];
  text: string;
  bytes: number;
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
 * Facts on their way to the sidecar. A fact gets its `seq` when it is first sent, and is sent again with it, unchanged, until it
 * is acknowledged; only facts that were never sent can be dropped.
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
  // Wall time by which the next fact has to be sent; infinite as long as none waits.
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

  function dropOldestChat(): void {
    while (chatLines > MAX_WAITING_CHAT || chatBytes > MAX_WAITING_CHAT_BYTES) {
      const at = waiting.findIndex(fact => fact.kind === "said");
      const [oldest] = waiting.splice(at, 1);
      if (oldest === undefined) return;
      count(oldest, -1);
      dropped++;
    }
  }

  return {
    /** Adds an encoded fact. Of too much waiting chat the oldest line is dropped, and of too many deaths this one. */
    push(kind: Fact["is"], text: string, { sendBy = 0, onLost, onAcknowledged }: FactDelivery = {}) {
      if (kind === "died" && deaths >= MAX_WAITING_DEATHS) return;
      const fact = { kind, text, bytes: utf8Bytes(text), snapshot: 0, onLost, onAcknowledged };
      waiting.push(fact);
      dueAt = Math.min(dueAt, sendBy);
      count(fact, 1);
      dropOldestChat();
    },
    /**
     * Adds the parts of a snapshot, and drops an older one of which nothing was sent. `isAscii`: every character of them takes
     * one byte.
     */
    pushSnapshot(texts: readonly string[], isAscii = false) {
      snapshots++;
      waiting = waiting.filter(fact => fact.snapshot === 0 || fact.snapshot === begun);
      for (const text of texts) {
        const bytes = isAscii ? text.length : utf8Bytes(text);
        waiting.push({ kind: "snapshot", text, bytes, snapshot: snapshots });
      }
      dueAt = 0;
    },
    /** What to send at wall time `now`: what is not acknowledged, else as much as fits. Undefined: nothing is due. */
    take(now: number): Batch | undefined {
      if (sent.length === 0) {
        // A clock that was set back must not hold up facts.
        if (waiting.length === 0 || (now < dueAt && now >= dueAt - MAX_WAIT_MS)) return undefined;
        alone = 0;
        fill();
      }
      const batch = alone > 0 ? sent.slice(0, 1) : sent;
      return { first, texts: batch.map(fact => fact.text) };
    },
    /** Forgets everything up to the `seq` `received`. */
    acknowledge(received: number) {
      const known = Math.min(received - first + 1, sent.length);
      if (known <= 0) return;
      for (let i = 0; i < known; i++) sent[i]?.onAcknowledged?.();
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
    /** A hello was answered: snapshots that were taken before it are outdated. */
    outdate() {
      waiting = waiting.filter(fact => fact.snapshot === 0);
      for (const fact of sent) if (fact.snapshot > 0) fact.text = STALE;
    },
    /** Another session begins, which has no `seq` yet: drops the facts of the ended session only. */
    renew() {
      const all = [...sent, ...waiting];
      sent = sent.filter(fact => fact.onLost === undefined);
      waiting = waiting.filter(fact => fact.onLost === undefined);
      for (const fact of all) fact.onLost?.();
    },
    /** `seq` of the oldest fact held, or of the next one. */
    first: () => first,
    /** Lines of chat dropped since the last call. */
    takeDropped(): number {
      const lines = dropped;
      dropped = 0;
      return lines;
    },
    size: () => sent.length + waiting.length,
  };
}
