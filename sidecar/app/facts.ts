import type { Outcome } from "../../shared/actions.ts";
import type { Fact, PlayerRow } from "../../shared/facts.ts";
import { addPart, type PartialSnapshot, withoutPlayer, withPlayer } from "../domain/snapshot.ts";
import type { Bus, Clock } from "../ports.ts";
import type { Chat } from "./chat.ts";
import { ACTION_TIMEOUT_MS, type Game } from "./game.ts";
import type { Links } from "./links.ts";
import type { WebChat } from "./web-chat.ts";

/** Names that the parts of allowlists may hold together while their outcomes are on the way. */
const MAX_NAMES = 100_000;

/** Names that came for one action so far; undefined when the list is longer than may be held. */
interface CollectedNames {
  names: string[] | undefined;
  /** monotonic time in milliseconds when the first of them came */
  since: number;
}

export type Facts = ReturnType<typeof createFacts>;

/** Turns what the game reports into what the links, the chat and everybody on the bus have to know. */
export function createFacts(deps: {
  clock: Clock;
  bus: Bus;
  game: Game;
  links: Links;
  chat: Chat;
  webChat: WebChat;
}) {
  const { clock, bus, game, links, chat, webChat } = deps;
  /** by action id */
  const names = new Map<string, CollectedNames>();
  let collectedCount = 0;
  let partial: PartialSnapshot | undefined;

  async function publishRows(change: (rows: readonly PlayerRow[]) => PlayerRow[]): Promise<void> {
    const last = await bus.lastSnapshot();
    if (!last) return;
    await bus.publish({ kind: "snapshot", snapshot: { ...last, rows: change(last.rows) } });
  }

  async function publishOutcome(reported: Outcome): Promise<void> {
    const collected = forget(reported.id);
    const tooLong = collected !== undefined && collected.names === undefined;
    const outcome = tooLong
      ? { id: reported.id, status: "failed" as const, reason: `more than ${MAX_NAMES} names` }
      : await counted(reported);
    await bus.publish({ kind: "outcome", outcome, ...(collected?.names ? { names: collected.names } : {}) });
  }

  /** The outcome as it counts for whoever asked. */
  async function counted(reported: Outcome): Promise<Outcome> {
    const asked = game.asked(reported.id);
    switch (asked) {
      case "link-open":
      // Asked by another process, or before this one was started: the store knows whether a link was asked for.
      case undefined:
        return links.onOutcome(reported);
      case "chat":
      case "tell":
      case "link-close":
      case "allowlist-read":
      case "allowlist-add":
        return reported;
      default:
        return asked satisfies never;
    }
  }

  function forget(id: string): CollectedNames | undefined {
    const collected = names.get(id);
    names.delete(id);
    collectedCount -= collected?.names?.length ?? 0;
    return collected;
  }

  /** A game that ended in the middle of a list never tells the outcome, and nobody waits for it any more. */
  function forgetAbandoned(now: number): void {
    for (const [id, { since }] of names) if (now - since > ACTION_TIMEOUT_MS) forget(id);
  }

  function collectNames(id: string, part: readonly string[]): void {
    const now = clock.monotonic();
    forgetAbandoned(now);
    const collected = names.get(id) ?? { names: [], since: now };
    names.set(id, collected);
    if (collected.names === undefined) return;
    if (collectedCount + part.length > MAX_NAMES) {
      collectedCount -= collected.names.length;
      collected.names = undefined;
      return;
    }
    collectedCount += part.length;
    collected.names.push(...part);
  }

  /** Deals with one fact from the game. Facts have to be handed in one after another. */
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
      case "webchat":
        return webChat.onMode(fact);
      case "mute":
        return webChat.onMute(fact);
      case "unlinked-by-player":
        return links.unlinkAll(fact.player);
      case "outcome":
        return publishOutcome(fact);
      case "names":
        return collectNames(fact.id, fact.names);
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

  /** Deals with actions whose outcome will never be told, since the game that had them is gone. */
  async function lost(ids: readonly string[]): Promise<void> {
    partial = undefined;
    for (const id of ids)
      await publishOutcome({ id, status: "failed", reason: "the game server restarted before it answered" });
  }

  return { handle, lost };
}
