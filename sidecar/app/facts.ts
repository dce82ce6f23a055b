import { createHash } from "node:crypto";
import type { Outcome } from "../../shared/actions.ts";
import type { Fact, PlayerRow } from "../../shared/facts.ts";
import { lineForWeb } from "../domain/chat.ts";
import { addPart, type PartialSnapshot, withoutPlayer, withPlayer } from "../domain/snapshot.ts";
import type { Bus, Clock, NewEntry } from "../ports.ts";
import type { Feed } from "./feed.ts";
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

/** Facts that are nothing but told on, many of them at once. */
type Told = Extract<Fact, { is: "said" | "died" }>;

const isTold = (fact: Fact): fact is Told => fact.is === "said" || fact.is === "died";

/** Where facts come from. */
export interface Origin {
  run: string;
  /** number of the first of them */
  first: number;
}

/** What a fact is known by where it is sent again to another process than the one that dealt with it. */
const keyOf = (run: string, number: number, fact: Fact): string =>
  `${run}:${number}:${createHash("sha1").update(JSON.stringify(fact)).digest("base64url")}`;

export type Facts = ReturnType<typeof createFacts>;

/** Turns what the game reports into what the links, the feed and everybody on the bus have to know. */
export function createFacts(deps: {
  clock: Clock;
  bus: Bus;
  game: Game;
  links: Links;
  feed: Feed;
  webChat: WebChat;
}) {
  const { clock, bus, game, links, feed, webChat } = deps;
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

  function entryOf(fact: Told, at: number): NewEntry {
    if (fact.is === "died") {
      const killer = fact.killer && { killer: feed.named(fact.killer) };
      return { event: { event: "death", at, player: feed.named(fact.player), ...killer } };
    }
    const player = fact.player && { player: feed.named(fact.player) };
    const content = lineForWeb(fact.name, fact.text);
    const event = { event: "chat" as const, at, from: "game" as const, content, ...player };
    return { event, ...(webChat.mode() === "off" && { withheld: true as const }) };
  }

  /**
   * Deals with the first of these facts, or the first few; returns with how many. Facts have to be handed in one after
   * another.
   */
  async function handle(facts: readonly Fact[], { run, first }: Origin): Promise<number> {
    const end = facts.findIndex(fact => !isTold(fact));
    const told = facts.slice(0, end < 0 ? facts.length : end).filter(isTold);
    if (told.length > 0) {
      await feed.append(at =>
        told.map((fact, i) => ({ ...entryOf(fact, at), key: keyOf(run, first + i, fact) })),
      );
      return told.length;
    }
    const [fact] = facts;
    if (fact && !isTold(fact)) await handleOne(fact, run, first);
    return 1;
  }

  async function handleOne(fact: Exclude<Fact, Told>, run: string, number: number): Promise<void> {
    switch (fact.is) {
      case "joined":
        await publishRows(rows => withPlayer(rows, fact.row));
        return feed.joined(run, fact.row, keyOf(run, number, fact));
      case "left":
        await publishRows(rows => withoutPlayer(rows, fact.id));
        return feed.left(run, fact.id, keyOf(run, number, fact));
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
        if (!added.complete) return;
        await bus.publish({ kind: "snapshot", snapshot: { at: clock.now(), ...added.complete } });
        return feed.listed(run, added.complete.rows);
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

  return {
    handle,
    /** Deals with the hello of a run, and with the actions that ended with the run before. */
    async began(run: string, lostActions: readonly string[]): Promise<void> {
      await lost(lostActions);
      await feed.began(run);
    },
  };
}
