import type { PlayerRef } from "../../shared/actions.ts";
import type { BanChange } from "../../shared/bans.ts";
import type { BansAnswer } from "../../shared/frames.ts";
import { BAN_REASON_LENGTH, MAX_BANS } from "../../shared/limits.ts";
import { foldName, isSameName, mayBeName, unquote } from "../../shared/names.ts";
import type { BansFrame } from "../../shared/requests.ts";
import { type ActionHandlers, DONE } from "../bridge/action-queue.ts";
import type { CommandReplies, CommandResult, Reply } from "../commands.ts";
import type { PackContext } from "../context.ts";
import { errorName } from "../notices.ts";
import type { NamedPlayer, PlayerNames } from "../players/player-names.ts";
import { createBanList, longest } from "./ban-list.ts";

/** Interval for kicking a banned player who is still online, and for reading an unreadable world again, in ticks. */
const RETRY_TICKS = 20;

const MINUTE_MS = 60_000;

/** Sorts bans by `persistentId` before bans by name. */
const byId = (one: BanChange, other: BanChange): number =>
  Number(other.persistentId !== undefined) - Number(one.persistentId !== undefined);

/** Every way to read the first words as a name, the longest first, each with the remaining words. */
function possibleNames(words: readonly string[]): { name: string; rest: string }[] {
  const found: { name: string; rest: string }[] = [];
  for (let end = 1; end <= words.length; end++) {
    const used = words.slice(0, end);
    // A word with a blank was written in quotes: it is a whole name, or a reason.
    if (end > 1 && used.some(word => /\s/.test(word))) break;
    found.unshift({ name: unquote(used.join(" ").trim()), rest: words.slice(end).join(" ").trim() });
  }
  return found;
}

export type Bans<P> = ReturnType<typeof createBans<P>>;

/**
 * Keeps banned players out, with or without the sidecar, and syncs the ban list with it. `left` reports that a player has left,
 * even if the game does not.
 */
export function createBans<P>(
  { clock, notices, players, roster, texts, store, soon }: PackContext<P>,
  { refer, reply }: CommandReplies<P>,
  names: Pick<PlayerNames, "find">,
  left: (id: string) => void,
) {
  const list = createBanList(clock, store, notices);
  // Banned players who may still be online, by `Player.id`, with the tick in which they are kicked again.
  const blocked = new Map<string, number>();
  let isLoaded = false;
  // Whether the sidecar keeps a ban list, and whether it may have changes.
  let isSynced = false;
  let isDue = false;

  /** The longest ban of a player. A ban by name is bound to the first player who has that name. */
  function find(name: string, persistentId: string): BanChange | undefined {
    const bans = list.find(name, persistentId);
    for (const ban of persistentId === "" ? [] : bans)
      if (ban.persistentId === undefined) list.bind({ ...ban, name }, persistentId);
      else if (ban.name !== name) list.rename(ban, name);
    return longest(bans);
  }

  function message({ reason, until }: BanChange, locale?: string): string {
    const lines = [texts.text(locale, "bridge.banned")];
    if (reason !== undefined) lines.push(texts.text(locale, "bridge.banned-reason", { reason }));
    if (until !== undefined) {
      const left = Math.max(1, Math.ceil((until - clock.now()) / MINUTE_MS));
      const [days, hours, minutes] = [Math.floor(left / 1440), Math.floor(left / 60) % 24, left % 60];
      lines.push(texts.text(locale, "bridge.banned-until", { days, hours, minutes }));
    }
    return lines.join("\n");
  }

  /** Kicks a player now, and once a second while they are still online. */
  function kick(player: P, id: string, ban: BanChange): void {
    if (clock.tick() < (blocked.get(id) ?? 0)) return;
    blocked.set(id, clock.tick() + RETRY_TICKS);
    soon(() => {
      try {
        players.kick(player, message(ban, players.locale(player)));
      } catch (error) {
        notices.once("bans:kick", `could not kick a banned player (${errorName(error)}); retrying`);
      }
    });
  }

  /** Kicks online players who are banned now. */
  function kickBanned(): void {
    for (const { ref, player } of roster.members().slice()) {
      const ban = find(ref.name, ref.persistentId);
      if (ban === undefined) continue;
      left(ref.id);
      kick(player, ref.id, ban);
    }
  }

  function begin(): void {
    isLoaded = list.load();
    kickBanned();
  }

  const timeAfter = (bans: readonly BanChange[]): number =>
    Math.max(list.decisionTime(), ...bans.map(({ at }) => at + 1));

  /** The player with a name: online, banned, or the last one here who had it. */
  function playerOf(name: string, banned: Map<string, BanChange[]>): Partial<NamedPlayer> | undefined {
    const online = roster.members().filter(({ ref }) => isSameName(ref.name, name));
    const member = online.find(({ ref }) => ref.name === name) ?? online[0];
    return member?.ref ?? banned.get(foldName(name))?.sort(byId)[0] ?? names.find(name);
  }

  /** Binds new bans by name to players remembered by this world: the sidecar may not know them. */
  function bindKnown(changes: readonly BanChange[]): void {
    for (const { name } of changes)
      for (const ban of list.find(name, "")) {
        const player = names.find(name);
        if (player) list.bind(ban, player.persistentId);
      }
  }

  type BanCommand = (by: string, words: readonly string[]) => CommandResult;

  const ban: BanCommand = (by, words) => {
    const candidates = isLoaded ? possibleNames(words) : [];
    const banned = list.byName().newest;
    const possible = candidates.filter(({ name }) => mayBeName(name));
    const [longestName, ...others] = possible;
    const match = candidates.find(({ name }) => playerOf(name, banned));
    if (longestName && others.length > 0 && match === undefined) {
      const all = possible.map(({ name }) => `"${name}"`).join(", ");
      return [false, "bridge.ban-unknown", { names: all, command: `/bridge:ban "${longestName.name}"` }];
    }
    const found = match ?? longestName;
    if (found === undefined || list.count() >= MAX_BANS)
      return [false, "bridge.ban-failed", { name: words.join(" ") }];
    const { name = found.name, persistentId } = playerOf(found.name, banned) ?? {};
    const reason = [...found.rest].slice(0, BAN_REASON_LENGTH).join("");
    const at = timeAfter(banned.get(foldName(name)) ?? []);
    list.add({ name, ...(persistentId && { persistentId }), at, ...(reason && { reason }), by });
    kickBanned();
    return [true, "bridge.ban-done", { name }];
  };

  /** Unbans by name (all words together): players with this name, else players who had it earlier. */
  const unban: BanCommand = (by, words) => {
    const { newest, earlier } = list.byName();
    const name = unquote(words.join(" ").trim());
    const bans = newest.get(foldName(name)) ?? earlier.get(foldName(name)) ?? [];
    const at = timeAfter(bans);
    for (const each of bans) list.add({ ...each, at, by, lifted: true, again: false });
    const [first] = bans;
    return first ? [true, "bridge.unban-done", { name: first.name }] : [false, "bridge.unban-none", { name }];
  };

  /** A command of operators. It needs no connection, since the world stores the bans. */
  const command =
    (run: BanCommand) =>
    (player: P | undefined, ...words: string[]): Reply =>
      reply(player, run(`game:${refer(player)?.name ?? "Server"}`, words));

  const actions: Pick<ActionHandlers, "bans"> = {
    bans() {
      isDue = true;
      return DONE;
    },
  };

  return {
    actions,
    commands: { ban: command(ban), unban: command(unban) },
    /** Loads the list; to be called once the world is loaded. */
    begin,
    /** To be called every tick. */
    step() {
      if ((blocked.size > 0 || !isLoaded) && clock.tick() % RETRY_TICKS === 0) {
        // Finds banned players who are still online.
        roster.refresh();
        if (!isLoaded) begin();
      }
      list.step();
    },
    stop: list.saveAll,
    /** The message for a player who may not join; undefined: they may. */
    refusal(name: string, persistentId: string): string | undefined {
      const found = find(name, persistentId);
      return found && message(found);
    },
    /** Whether an online player is banned. Kicks them if so. */
    keepsOut({ id, name, persistentId }: PlayerRef, player: P): boolean {
      const found = find(name, persistentId);
      if (found === undefined) blocked.delete(id);
      else kick(player, id, found);
      return found !== undefined;
    },
    /** Whether nothing may be reported about the player with this id. */
    isBlocked: (id: string): boolean => blocked.has(id),
    /** The player with this id has left. Returns whether their leave was reported with the ban. */
    left: (id: string): boolean => blocked.delete(id),
    counts: (): { bans: number; pending: number } => ({
      bans: list.count(),
      pending: list.pending(),
    }),
    /** A session began; `keepsBans`: whether the sidecar keeps a ban list. */
    welcomed(keepsBans: boolean) {
      isSynced = keepsBans;
      isDue = true;
    },
    /** The next request with bans; undefined: there is nothing to send or get. */
    nextFrame: (): Omit<BansFrame, "session"> | undefined =>
      isSynced && isLoaded && (isDue || list.pending() > 0) ? list.nextFrame() : undefined,
    applyAnswer(answer: BansAnswer) {
      isDue = answer.more;
      list.applyAnswer(answer);
      const banned = answer.changes.filter(change => !change.lifted);
      if (banned.length === 0) return;
      kickBanned();
      bindKnown(banned.filter(({ persistentId }) => persistentId === undefined));
    },
  };
}
