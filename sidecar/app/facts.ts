import type { Outcome } from "../../shared/actions.ts";
import type { Fact, PlayerRow } from "../../shared/facts.ts";
import { addPart, type PartialSnapshot, withoutPlayer, withPlayer } from "../domain/snapshot.ts";
import type { Bus, Clock } from "../ports.ts";
import type { Chat } from "./chat.ts";
import { ACTION_TIMEOUT_MS, type Game } from "./game.ts";
import type { Links } from "./links.ts";

/** Names that the parts of allowlists may hold together while their outcomes are on the way. */
const MAX_NAMES = 100_000;

export interface Facts {
  /** Deals with one fact from the game. Facts have to be handed in one after another. */
  handle(fact: Fact): Promise<void>;
  /** Deals with actions whose outcome will never be told, since the game that had them is gone. */
  lost(ids: readonly string[]): Promise<void>;
}

/** Names that came for one action so far; undefined when the list is longer than may be held. */
interface Held {
  names: string[] | undefined;
  /** wall time in milliseconds when the first of them came */
  since: number;
}

/** Turns what the game reports into what the links, the chat and everybody on the bus have to know. */
export function createFacts(deps: { clock: Clock; bus: Bus; game: Game; links: Links; chat: Chat }): Facts {
  const { clock, bus, game, links, chat } = deps;
  /** by action id */
  const names = new Map<string, Held>();
  let heldNames = 0;
  let partial: PartialSnapshot | undefined;

  async function publishRows(change: (rows: readonly PlayerRow[]) => PlayerRow[]): Promise<void> {
    const last = await bus.lastSnapshot();
    if (!last) return;
    await bus.publish({ kind: "snapshot", snapshot: { ...last, rows: change(last.rows) } });
  }

  async function publishOutcome(told: Outcome): Promise<void> {
    const held = forget(told.id);
    const tooLong = held !== undefined && held.names === undefined;
    const outcome = tooLong
      ? { id: told.id, status: "failed" as const, reason: `more than ${MAX_NAMES} names` }
      : await counted(told);
    await bus.publish({ kind: "outcome", outcome, ...(held?.names ? { names: held.names } : {}) });
  }

  /** The outcome as it counts for whoever asked. */
  async function counted(told: Outcome): Promise<Outcome> {
    const asked = game.asked(told.id);
    switch (asked) {
      case "link-open":
      // Asked by another process, or before this one was started: the store knows whether a link was asked for.
      case undefined:
        return links.onOutcome(told);
      case "chat":
      case "tell":
      case "link-close":
      case "allowlist-read":
      case "allowlist-add":
        return told;
      default:
        return asked satisfies never;
    }
  }

  function forget(id: string): Held | undefined {
    const held = names.get(id);
    names.delete(id);
    heldNames -= held?.names?.length ?? 0;
    return held;
  }

  /** A game that ended in the middle of a list never tells the outcome, and nobody waits for it any more. */
  function forgetAbandoned(now: number): void {
    for (const [id, { since }] of names) if (now - since > ACTION_TIMEOUT_MS) forget(id);
  }

  function holdNames(id: string, part: readonly string[]): void {
    const now = clock.now();
    forgetAbandoned(now);
    const held = names.get(id) ?? { names: [], since: now };
    names.set(id, held);
    if (held.names === undefined) return;
    if (heldNames + part.length > MAX_NAMES) {
      heldNames -= held.names.length;
      held.names = undefined;
      return;
    }
    heldNames += part.length;
    held.names.push(...part);
  }

  async function handle(fact: Fact): Promise<void> {
    switch (fact.is) {
      case "joined":
        return publishRows(rows => withPlayer(rows, fact.row));
      case "left":
        return publishRows(rows => withoutPlayer(rows, fact.id));
      case "said":
        return chat.fromGame(fact.name, fact.text);
      case "answered":
        return links.onAnswer(fact.request, fact.accepted);
      case "unlinked-by-player":
        return links.unlinkAll(fact.player);
      case "outcome":
        return publishOutcome(fact);
      case "names":
        return holdNames(fact.id, fact.names);
      case "snapshot": {
        const added = addPart(partial, fact);
        partial = added.partial;
        if (added.complete)
          await bus.publish({ kind: "snapshot", snapshot: { at: clock.now(), ...added.complete } });
        return;
      }
      default:
        return fact satisfies never;
    }
  }

  async function lost(ids: readonly string[]): Promise<void> {
    partial = undefined;
    for (const id of ids)
      await publishOutcome({ id, status: "failed", reason: "the game server restarted before it answered" });
  }

  return { handle, lost };
}
