import type { Fact } from "../../shared/facts.ts";
import { FACTS_BODY_BYTES, MAX_FACTS } from "../../shared/limits.ts";
import { utf8Bytes } from "../../shared/text.ts";

/** Chat messages that may wait to be sent. */
const MAX_WAITING_CHAT = 1000;

/** Bytes of chat that may wait to be sent. */
const MAX_WAITING_CHAT_BYTES = 256 * 1024;

/** Deaths that may wait to be sent. */
export const MAX_WAITING_DEATHS = 100;

/** How long a fact may wait to be batched with others, in milliseconds: a second, minus the tick in which it is sent. */
export const MAX_WAIT_MS = 950;

/** Replaces a part of an outdated snapshot: the first part of one that is never completed. */
const STALE = '{"is":"snapshot","tps":0,"part":0,"parts":2,"rows":[]}';

/** How to send a fact, unless at once and in any session. */
export interface FactDelivery {
  /** wall time until which it may wait for others */
  sendBy?: number | undefined;
  /** Limits the fact to this session. Called when the session ends before the fact is acknowledged. */
  onLost?: (() => void) | undefined;
  /** Called once it is acknowledged. */
  onAcknowledged?: (() => void) | undefined;
}

interface QueuedFact extends FactDelivery {
  kind: Fact["is"];
  text: string;
  bytes: number;
  /** number of the snapshot that it is part of, else 0 */
  snapshot: number;
}

/** Encoded facts for one request. */
interface Batch {
  /** `seq` of the first one */
  first: number;
  texts: string[];
}

export type FactQueue = ReturnType<typeof createFactQueue>;

/**
 * Queue of facts for the sidecar. A fact gets its `seq` when it is first sent, and is resent unchanged under that `seq` until it is
 * acknowledged. Only facts that were never sent can be dropped.
 */
export function createFactQueue() {
  let first = 1;
  let sent: QueuedFact[] = [];
  let waiting: QueuedFact[] = [];
  // How many of `sent` to send one by one.
  let singles = 0;
  let chatLines = 0;
  let chatBytes = 0;
  let deaths = 0;
  let dropped = 0;
  let snapshots = 0;
  // Wall time by which the next fact has to be sent; `Infinity` when none waits.
  let dueAt = Infinity;
  // Number of the snapshot that was sent in part: its other parts have to follow.
  let openSnapshot = 0;

  function count(fact: QueuedFact, by: 1 | -1): void {
    if (fact.kind === "died") deaths += by;
    if (fact.kind !== "said") return;
    chatLines += by;
    chatBytes += by * fact.bytes;
  }

  function fill(): void {
    let bytes = 0;
    let size = 0;
    for (const fact of waiting) {
      if (size >= MAX_FACTS || (size > 0 && bytes + fact.bytes + 1 > FACTS_BODY_BYTES)) break;
      bytes += fact.bytes + 1;
      size++;
      count(fact, -1);
      if (fact.snapshot > 0) openSnapshot = fact.snapshot;
    }
    sent = waiting;
    waiting = size < sent.length ? sent.splice(size) : [];
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
    /** Adds an encoded fact. Over the limit, the oldest chat message is dropped, or the new death. */
    push(kind: Fact["is"], text: string, { sendBy = 0, onLost, onAcknowledged }: FactDelivery = {}) {
      if (kind === "died" && deaths >= MAX_WAITING_DEATHS) return;
      const fact = { kind, text, bytes: utf8Bytes(text), snapshot: 0, onLost, onAcknowledged };
      waiting.push(fact);
      dueAt = Math.min(dueAt, sendBy);
      count(fact, 1);
      dropOldestChat();
    },
    /** Adds the parts of a snapshot, and drops an older one that was not sent at all. `isAscii`: every character takes one byte. */
    pushSnapshot(texts: readonly string[], isAscii = false) {
      snapshots++;
      waiting = waiting.filter(fact => fact.snapshot === 0 || fact.snapshot === openSnapshot);
      for (const text of texts) {
        const bytes = isAscii ? text.length : utf8Bytes(text);
        waiting.push({ kind: "snapshot", text, bytes, snapshot: snapshots });
      }
      dueAt = 0;
    },
    /** The batch to send at wall time `now`: the unacknowledged facts, else as many new ones as fit. Undefined: none is due. */
    take(now: number): Batch | undefined {
      if (sent.length === 0) {
        // A clock that was set back must not delay facts.
        if (waiting.length === 0 || (now < dueAt && now >= dueAt - MAX_WAIT_MS)) return undefined;
        singles = 0;
        fill();
      }
      const batch = singles > 0 ? sent.slice(0, 1) : sent;
      return { first, texts: batch.map(fact => fact.text) };
    },
    /** Removes the facts up to the `seq` `received`. */
    acknowledge(received: number) {
      const known = Math.min(received - first + 1, sent.length);
      if (known <= 0) return;
      for (let i = 0; i < known; i++) sent[i]?.onAcknowledged?.();
      sent = sent.slice(known);
      first += known;
      singles = Math.max(0, singles - known);
    },
    /**
     * The sidecar rejected the batch of `take`. Several facts are sent one by one from now on; a single one is dropped and its kind
     * returned. The sidecar took nothing after it, so its `seq` goes to the next fact.
     */
    refuse(): Fact["is"] | undefined {
      if (sent.length > 1 && singles === 0) {
        singles = sent.length;
        return undefined;
      }
      singles = Math.max(0, singles - 1);
      return sent.shift()?.kind;
    },
    /** A hello was answered: snapshots taken before it are outdated. */
    outdate() {
      waiting = waiting.filter(fact => fact.snapshot === 0);
      for (const fact of sent) if (fact.snapshot > 0) fact.text = STALE;
    },
    /** A new session begins, which has no `seq` yet: drops facts limited to the ended session. */
    renew() {
      const all = [...sent, ...waiting];
      sent = sent.filter(fact => fact.onLost === undefined);
      waiting = waiting.filter(fact => fact.onLost === undefined);
      for (const fact of all) fact.onLost?.();
    },
    /** `seq` of the oldest queued fact, or of the next one. */
    first: () => first,
    /** Number of chat messages dropped since the last call. */
    takeDropped(): number {
      const lines = dropped;
      dropped = 0;
      return lines;
    },
    size: () => sent.length + waiting.length,
  };
}
