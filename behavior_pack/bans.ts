import type { PlayerRef } from "../shared/actions.ts";
import { type BanChange, folded } from "../shared/bans.ts";
import type { BansAnswer } from "../shared/frames.ts";
import { BAN_REASON_LENGTH, MAX_BANS, NAME_LENGTH } from "../shared/limits.ts";
import type { BansFrame } from "../shared/requests.ts";
import type { GameTextKey } from "../shared/texts.ts";
import { createBanList, longest } from "./ban-list.ts";
import { errorName, type Notices } from "./notices.ts";
import type { Texts } from "./player-texts.ts";
import type { Clock, Players, Store } from "./ports.ts";
import type { Roster } from "./roster.ts";

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
  /** Calls back when everything is allowed again, which it is not in a command. */
  soon(callback: () => void): void;
  /** Deals with it that a player has left, also where the game has not told of it. */
  left(id: string): void;
}

export type Bans<P> = ReturnType<typeof createBans<P>>;

/** Keeps out who is banned, whether the sidecar is there or not, and keeps the list of bans the same on both sides. */
export function createBans<P>({ clock, notices, players, roster, texts, soon, left, store }: BansDeps<P>) {
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
    for (const ban of bans)
      if (ban.persistentId === undefined && persistentId !== "") list.bind(ban, persistentId);
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
    ban(operator: string | undefined, written: string, reason = ""): [boolean, GameTextKey] {
      const name = written.trim();
      if (!isLoaded || name === "" || name.length > NAME_LENGTH || list.count() >= MAX_BANS)
        return [false, "bridge.ban-failed"];
      const bans = list.named(name);
      const online = roster.members().find(({ ref }) => folded(ref.name) === folded(name))?.ref;
      const who = online ?? bans.find(ban => ban.persistentId !== undefined);
      const said = [...reason.trim()].slice(0, BAN_REASON_LENGTH).join("");
      list.make({
        name: who?.name ?? name,
        ...(who?.persistentId && { persistentId: who.persistentId }),
        at: momentAfter(bans),
        ...(said && { reason: said }),
        by: by(operator),
      });
      clear();
      return [true, "bridge.ban-done"];
    },
    /** Lifts every ban of whoever had this name. */
    unban(operator: string | undefined, written: string): [boolean, GameTextKey] {
      const bans = list.named(written.trim());
      const at = momentAfter(bans);
      for (const ban of bans) list.make({ ...ban, at, by: by(operator), lifted: true, again: false });
      return bans.length > 0 ? [true, "bridge.unban-done"] : [false, "bridge.unban-none"];
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
      if (answer.changes.some(change => !change.lifted)) clear();
    },
  };
}
