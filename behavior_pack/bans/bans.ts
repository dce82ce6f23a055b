import type { PlayerRef } from "../../shared/actions.ts";
import type { BanChange } from "../../shared/bans.ts";
import type { BansAnswer } from "../../shared/frames.ts";
import { BAN_REASON_LENGTH, MAX_BANS } from "../../shared/limits.ts";
import { folded, isSameName, mayBeName, unquoted } from "../../shared/names.ts";
import type { BansFrame } from "../../shared/requests.ts";
import type { GameTextKey } from "../../shared/texts.ts";
import type { createKnownNames, NamedPlayer } from "../known-players/player-names.ts";
import { errorName, type Notices } from "../notices.ts";
import type { Roster } from "../players/roster.ts";
import type { Clock, Players, Store } from "../ports.ts";
import type { Texts } from "../texts.ts";
import { createBanList, longest } from "./ban-list.ts";

/** How often somebody is sent away who is still there, and a world is read that could not be, in ticks. */
const AGAIN_TICKS = 20;

const MINUTE_MS = 60_000;

interface BansDeps<P> {
  clock: Clock;
  store: Store;
  notices: Notices;
  players: Players<P>;
  roster: Roster<P>;
  texts: Texts;
  names: Pick<ReturnType<typeof createKnownNames>, "find">;
  /** Calls back when everything is allowed again, which it is not in a command. */
  soon(callback: () => void): void;
  /** Deals with it that a player has left, also where the game has not told of it. */
  left(id: string): void;
}

/** Those of whom the `persistentId` is known come first. */
const byId = (one: BanChange, other: BanChange): number =>
  Number(other.persistentId !== undefined) - Number(one.persistentId !== undefined);

/** What became of a command: whether it was done, and what is said to it, with these values. */
type Done = [done: boolean, key: GameTextKey, values: Record<string, string>];

/** What the first of these words may mean, the longest first, each with the words behind it. */
function meanings(words: readonly string[]): { name: string; rest: string }[] {
  const found: { name: string; rest: string }[] = [];
  for (let end = 1; end <= words.length; end++) {
    const own = words.slice(0, end);
    // One with a blank was written in quotes: it is a whole name, or a reason.
    if (end > 1 && own.some(word => /\s/.test(word))) break;
    found.unshift({ name: unquoted(own.join(" ").trim()), rest: words.slice(end).join(" ").trim() });
  }
  return found;
}

export type Bans<P> = ReturnType<typeof createBans<P>>;

/** Keeps out who is banned, whether the sidecar is there or not, and keeps the list of bans the same on both sides. */
export function createBans<P>(deps: BansDeps<P>) {
  const { clock, notices, players, roster, texts, names, soon, left, store } = deps;
  const list = createBanList(clock, store, notices);
  // Who is banned and may be there still, by `Player.id`, with the tick in which they are sent away again.
  const away = new Map<string, number>();
  let isLoaded = false;
  // Whether the sidecar keeps such a list, and whether it may have something new.
  let isKept = false;
  let isDue = false;

  /** The longest ban of a player, who is the one that is meant from now on where bans are by name. */
  function find(name: string, persistentId: string): BanChange | undefined {
    const bans = list.find(name, persistentId);
    for (const ban of persistentId === "" ? [] : bans)
      if (ban.persistentId === undefined) list.bind({ ...ban, name }, persistentId);
      else if (ban.name !== name) list.rename(ban, name);
    return longest(bans);
  }

  function words({ reason, until }: BanChange, locale?: string): string {
    const lines = [texts.tell(locale, "bridge.banned")];
    if (reason !== undefined) lines.push(texts.tell(locale, "bridge.banned-reason", { reason }));
    if (until !== undefined) {
      const left = Math.max(1, Math.ceil((until - clock.now()) / MINUTE_MS));
      const [days, hours, minutes] = [Math.floor(left / 1440), Math.floor(left / 60) % 24, left % 60];
      lines.push(texts.tell(locale, "bridge.banned-until", { days, hours, minutes }));
    }
    return lines.join("\n");
  }

  /** Now and once a second as long as they are still there. */
  function sendAway(player: P, id: string, ban: BanChange): void {
    if (clock.tick() < (away.get(id) ?? 0)) return;
    away.set(id, clock.tick() + AGAIN_TICKS);
    soon(() => {
      try {
        players.kick(player, words(ban, players.locale(player)));
      } catch (error) {
        notices.once("bans:kick", `a banned player cannot be sent away (${errorName(error)}); trying again`);
      }
    });
  }

  /** Nobody is here any more who is banned now. */
  function clear(): void {
    for (const { ref, player } of roster.members().slice()) {
      const ban = find(ref.name, ref.persistentId);
      if (ban === undefined) continue;
      left(ref.id);
      sendAway(player, ref.id, ban);
    }
  }

  function begin(): void {
    isLoaded = list.load();
    clear();
  }

  /** A moment after all that is held of whoever had this name. */
  const momentAfter = (bans: readonly BanChange[]): number =>
    Math.max(list.moment(), ...bans.map(({ at }) => at + 1));

  /** The player whom a name means: who is online with it, is banned under it, or was here with it. */
  function known(name: string, banned: Map<string, BanChange[]>): Partial<NamedPlayer> | undefined {
    const online = roster.members().filter(({ ref }) => isSameName(ref.name, name));
    const here = online.find(({ ref }) => ref.name === name) ?? online[0];
    return here?.ref ?? banned.get(folded(name))?.sort(byId)[0] ?? names.find(name);
  }

  /** A ban by name is of the player who was here with it, also where the sidecar has not seen the player. */
  function bindKnown(changes: readonly BanChange[]): void {
    for (const { name } of changes)
      for (const ban of list.find(name, "")) {
        const who = names.find(name);
        if (who) list.bind(ban, who.persistentId);
      }
  }

  const by = (operator: string | undefined): string => `game:${operator ?? "Server"}`;

  return {
    /** The world is there. */
    begin,
    /** To be called every tick. */
    step() {
      if ((away.size > 0 || !isLoaded) && clock.tick() % AGAIN_TICKS === 0) {
        // Who is still there is met again by that.
        roster.refresh();
        if (!isLoaded) begin();
      }
      list.step();
    },
    stop: list.saveAll,
    /** What a player is told who may not join; undefined: they may. */
    refusal(name: string, persistentId: string): string | undefined {
      const ban = find(name, persistentId);
      return ban && words(ban);
    },
    /** Whether somebody who is there is not to be: they are sent away. */
    bars({ id, name, persistentId }: PlayerRef, player: P): boolean {
      const ban = find(name, persistentId);
      if (ban === undefined) away.delete(id);
      else sendAway(player, id, ban);
      return ban !== undefined;
    },
    /** Whether nothing is to be told of the player of this id. */
    isAway: (id: string): boolean => away.has(id),
    /** The player of this id has left. True: it has been told. */
    gone: (id: string): boolean => away.delete(id),
    /** An operator, or the console, bans a player here, who need not be online. */
    ban(operator: string | undefined, words: readonly string[]): Done {
      const meant = isLoaded ? meanings(words) : [];
      const banned = list.names().now;
      const possible = meant.filter(({ name }) => mayBeName(name));
      const [longestOne, ...others] = possible;
      const fitting = meant.find(({ name }) => known(name, banned));
      if (longestOne && others.length > 0 && fitting === undefined) {
        const all = possible.map(({ name }) => `"${name}"`).join(", ");
        return [false, "bridge.ban-unknown", { names: all, command: `/bridge:ban "${longestOne.name}"` }];
      }
      const found = fitting ?? longestOne;
      if (found === undefined || list.count() >= MAX_BANS)
        return [false, "bridge.ban-failed", { name: words.join(" ") }];
      const { name = found.name, persistentId } = known(found.name, banned) ?? {};
      const said = [...found.rest].slice(0, BAN_REASON_LENGTH).join("");
      list.make({
        name,
        ...(persistentId && { persistentId }),
        at: momentAfter(banned.get(folded(name)) ?? []),
        ...(said && { reason: said }),
        by: by(operator),
      });
      clear();
      return [true, "bridge.ban-done", { name }];
    },
    /** Lifts every ban of players of this name, which all words are, or who have had it where nobody has it now. */
    unban(operator: string | undefined, words: readonly string[]): Done {
      const { now, before } = list.names();
      const name = unquoted(words.join(" ").trim());
      const bans = now.get(folded(name)) ?? before.get(folded(name)) ?? [];
      const at = momentAfter(bans);
      for (const ban of bans) list.make({ ...ban, at, by: by(operator), lifted: true, again: false });
      const [first] = bans;
      return first
        ? [true, "bridge.unban-done", { name: first.name }]
        : [false, "bridge.unban-none", { name }];
    },
    count: (): { bans: number; untold: number } => ({ bans: list.count(), untold: list.untold() }),
    /** There is a session; `keeps`: with a sidecar that keeps such a list. */
    welcomed(keeps: boolean) {
      isKept = keeps;
      isDue = true;
    },
    /** The sidecar has something new. */
    due() {
      isDue = true;
    },
    /** What the sidecar is to be told and asked; undefined: nothing. */
    ask: (): Omit<BansFrame, "session"> | undefined =>
      isKept && isLoaded && (isDue || list.untold() > 0) ? list.ask() : undefined,
    answered(answer: BansAnswer) {
      isDue = answer.more;
      list.answered(answer);
      const banned = answer.changes.filter(change => !change.lifted);
      if (banned.length === 0) return;
      clear();
      bindKnown(banned.filter(({ persistentId }) => persistentId === undefined));
    },
  };
}
