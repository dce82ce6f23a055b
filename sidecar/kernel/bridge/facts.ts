import { createHash } from "node:crypto";
import type { ActionName } from "../../../shared/actions.ts";
import type { Fact, Outcome, PlayerRow } from "../../../shared/facts.ts";
import type { BansHere } from "../../features/bans/bans.ts";
import type { Relay } from "../../features/chat/relay.ts";
import { lineForWeb } from "../../features/chat/rules/chat.ts";
import type { WebChat } from "../../features/chat/web-chat.ts";
import type { Mark } from "../../features/feed/rules.ts";
import type { KnownHere } from "../../features/known-players/known-players.ts";
import type { WorldLinks } from "../../features/linking/link-answers.ts";
import type { GameNote } from "../../features/moderation/audited.ts";
import type { WhoIsThere } from "../../features/players/presence.ts";
import type { Choices } from "../../features/servers/choices.ts";
import type { ElsewhereOf } from "../../features/servers/elsewhere.ts";
import { addPart, hasRoom, withoutPlayer, withPlayer } from "../../features/status/rules/snapshot.ts";
import type { NewEntry, PresenceLog } from "../storage/ports/feed.ts";
import type { Bus, LostAction, Parts } from "../storage/ports/game.ts";
import type { Clock, Turn } from "../storage/ports.ts";
import type { Game } from "./game.ts";

/** Facts that are nothing but told on, many of them at once. */
type Told = Extract<Fact, { is: "said" | "died" }>;

/** Facts that build on no other one of them: what is asked of the storage for many goes there at once. */
type Apart = Told | Extract<Fact, { is: "outcome" }>;

const isTold = (fact: Fact): fact is Told => fact.is === "said" || fact.is === "died";
const isApart = (fact: Fact): fact is Apart => isTold(fact) || fact.is === "outcome";

/**
 * Waits for all of them, also where one fails: nothing goes on behind the answer.
 * @throws what the first of them has failed with
 */
async function allOf(doing: readonly Promise<void>[]): Promise<void> {
  for (const done of await Promise.allSettled(doing)) if (done.status === "rejected") throw done.reason;
}

const NOBODY: ReadonlySet<string> = new Set();

/** Where facts come from. */
interface Origin {
  run: string;
  /** number of the first of them */
  first: number;
  turn: Turn;
}

/** What a fact is known by where it is sent again to another process than the one that dealt with it. */
const keyOf = ({ server }: Mark, run: string, number: number, fact: Fact): string => {
  const digest = createHash("sha1").update(JSON.stringify(fact)).digest("base64url");
  return [...(server === undefined ? [] : [server]), run, number, digest].join(":");
};

export type Facts = ReturnType<typeof createFacts>;

/** Turns what the game reports into what the links, the feed and everybody on the bus have to know. */
export function createFacts(deps: {
  clock: Clock;
  bus: Bus;
  parts: Parts;
  game: Game;
  links: Pick<WorldLinks, "onOutcome" | "onAnswer" | "unlinkAll">;
  worldLog: Pick<PresenceLog, "tellOnce">;
  relay: Pick<Relay, "said">;
  presence: WhoIsThere;
  webChat: WebChat;
  /** undefined: there is one game server alone */
  choices: Choices | undefined;
  /** undefined: nobody is remembered */
  known: KnownHere | undefined;
  bans: Pick<BansHere, "isBanned" | "isNameBanned" | "met">;
  elsewhere: ElsewhereOf;
  /** writes down what is changed there for all game servers; undefined: there is one alone */
  gameNote: GameNote | undefined;
  /** of the game server */
  name: string;
  /** as in presence */
  mark: Mark;
}) {
  const {
    clock,
    bus,
    parts,
    game,
    links,
    worldLog,
    relay,
    name,
    presence,
    webChat,
    choices,
    known,
    bans,
    elsewhere,
    gameNote,
    mark,
  } = deps;

  /** Rows as they are to be seen. */
  const met = async (rows: readonly PlayerRow[], turn: Turn): Promise<readonly PlayerRow[]> =>
    (await choices?.met(deps, rows, turn)) ?? rows;

  async function publishRows(change: (rows: readonly PlayerRow[]) => PlayerRow[], turn: Turn): Promise<void> {
    const last = await bus.lastSnapshot();
    if (!last) return;
    await bus.publish({ kind: "snapshot", snapshot: { ...last, rows: change(last.rows) } }, turn);
  }

  /** The last row of a player who has left; a pack of before does not tell it. */
  async function lastOf(
    { id, row }: Extract<Fact, { is: "left" }>,
    turn: Turn,
  ): Promise<PlayerRow | undefined> {
    if (row) return (await met([row], turn))[0];
    return (await bus.lastSnapshot())?.rows.find(({ player }) => player.id === id);
  }

  /** Tells whoever waits for an outcome, here or at another process. */
  async function tellOutcome(reported: Outcome, turn: Turn): Promise<void> {
    const mayBe = (asked: ActionName): boolean => (reported.do ?? asked) === asked;
    const names = mayBe("allowlist-read") ? await parts.names(reported.id) : undefined;
    const open = mayBe("link-open")
      ? ((await choices?.onOutcome(deps, reported, turn)) ?? reported)
      : undefined;
    if (mayBe("forget")) await known?.told(reported, turn);
    const counted = open ? await links.onOutcome(open, turn) : reported;
    const [outcome, all] =
      names === "too many"
        ? [{ ...counted, status: "failed" as const, reason: "more names than can be held" }]
        : [counted, names];
    if (!game.settle(outcome, all))
      await bus.publish({ kind: "outcome", outcome, ...(all && { names: all }) }, turn);
    if (names) await parts.forgetNames(reported.id);
  }

  /** Players here who hid themselves elsewhere, of which a pack of before knows nothing. */
  async function hiddenHere(): Promise<ReadonlySet<string>> {
    const last = choices && (await bus.lastSnapshot());
    return new Set(last?.rows.flatMap(({ player, hidden }) => (hidden ? [player.id] : [])));
  }

  /** Undefined: nothing is told of it. */
  function entryOf(fact: Told, at: number, hidden: ReadonlySet<string>): NewEntry | undefined {
    if (fact.player && bans.isBanned(fact.player)) return undefined;
    if (fact.is === "died") {
      if (hidden.has(fact.player.id) || elsewhere.has(fact.player)) return undefined;
      const isShown = ({ killer }: typeof fact): boolean =>
        killer !== undefined && !hidden.has(killer.id) && !bans.isBanned(killer) && !elsewhere.has(killer);
      const isNamed = fact.killer && isShown(fact);
      const killer = fact.killer && isNamed && { killer: presence.named(fact.killer) };
      return { event: { event: "death", at, ...mark, player: presence.named(fact.player), ...killer } };
    }
    if (fact.player === undefined && bans.isNameBanned(fact.name)) return undefined;
    const player = fact.player && !elsewhere.has(fact.player) && { player: presence.named(fact.player) };
    const content = lineForWeb(fact.name, fact.text);
    const event = { event: "chat" as const, at, ...mark, from: "game" as const, content, ...player };
    return { event, ...(webChat.mode() === "off" && { withheld: true as const }) };
  }

  /** Tells everybody, and of what was said the other game servers, each once. */
  async function tell(told: readonly { fact: Fact; entry: NewEntry }[], turn: Turn): Promise<void> {
    const fresh = new Set(
      await worldLog.tellOnce(
        told.map(({ entry }) => entry),
        turn,
      ),
    );
    await relay.said(
      name,
      told.flatMap(({ fact, entry }) => (fact.is === "said" && fresh.has(entry) ? [fact] : [])),
    );
  }

  /**
   * Deals with the first of these facts, or the first few; returns with how many. Facts have to be handed in one after
   * another.
   */
  async function handle(facts: readonly Fact[], { run, first, turn }: Origin): Promise<number> {
    const end = facts.findIndex(fact => !isApart(fact));
    const apart = facts.slice(0, end < 0 ? facts.length : end).filter(isApart);
    if (apart.length > 0) {
      const hidden = apart.some(fact => fact.is === "died") ? await hiddenHere() : NOBODY;
      const at = clock.now();
      const told = apart.flatMap((fact, i) => {
        const entry = isTold(fact) ? entryOf(fact, at, hidden) : undefined;
        return entry ? [{ fact, entry: { ...entry, key: keyOf(mark, run, first + i, fact) } }] : [];
      });
      const outcomes = apart.flatMap(fact => (isTold(fact) ? [] : [tellOutcome(fact, turn)]));
      await allOf(told.length === 0 ? outcomes : [tell(told, turn), ...outcomes]);
      return apart.length;
    }
    const [fact] = facts;
    if (fact && !isApart(fact)) await handleOne(fact, { run, first, turn });
    return 1;
  }

  async function noteChoices({ player, hidden, blocked }: Extract<Fact, { is: "chose" }>): Promise<void> {
    const { name } = player;
    if (hidden !== undefined)
      await gameNote?.(
        { action: hidden ? "player.hide" : "player.show", name },
        name,
        hidden ? "hidden" : "shown",
      );
    if (blocked !== undefined)
      await gameNote?.(
        { action: blocked ? "player.block" : "player.unblock", name },
        name,
        blocked ? "blocked" : "unblocked",
      );
  }

  async function handleOne(fact: Exclude<Fact, Apart>, { run, first: number, turn }: Origin): Promise<void> {
    const by = { turn, key: keyOf(mark, run, number, fact) };
    switch (fact.is) {
      case "joined": {
        // The next report brings up a player who has left the other game server meanwhile.
        if (elsewhere.has(fact.row.player)) return;
        if (!hasRoom((await bus.lastSnapshot())?.rows ?? [], fact.row)) return;
        await bans.met([fact.row.player], turn);
        // What comes of a player who is banned, and whom the game could not keep out, is in no answer.
        if (bans.isBanned(fact.row.player)) return;
        const [row = fact.row] = await met([fact.row], turn);
        await known?.joined(row, turn);
        await publishRows(rows => withPlayer(rows, row), turn);
        return presence.joined(run, row, by);
      }
      case "chose":
        if (elsewhere.refuses(fact.is, fact.player)) return;
        await choices?.onChose(deps, fact, turn);
        await noteChoices(fact);
        return known?.chose(fact, turn);
      case "left": {
        const row = known && (await lastOf(fact, turn));
        if (row && !elsewhere.has(row.player)) await known.left(row, turn);
        await publishRows(rows => withoutPlayer(rows, fact.id), turn);
        return presence.left(run, fact.id, by);
      }
      case "forgot":
        if (elsewhere.refuses(fact.is, fact.player)) return;
        await known?.forgot(fact, turn);
        return gameNote?.({ action: "player.forget", name: fact.player.name }, fact.player.name, "forgotten");
      case "answered":
        return links.onAnswer(fact.request, fact.accepted, turn);
      case "webchat":
        await webChat.onMode(fact, game, turn);
        if (fact.mode) await gameNote?.({ action: "webchat.set", name: fact.mode }, fact.by?.name, "set");
        return;
      case "mute":
        await webChat.onMute(fact, game, turn);
        return fact.isMuted
          ? gameNote?.({ action: "browser.mute", name: fact.browser }, fact.by?.name, "muted")
          : gameNote?.({ action: "browser.unmute", name: fact.browser }, fact.by?.name, "unmuted");
      case "unlinked-by-player":
        if (elsewhere.refuses(fact.is, fact.player)) return;
        await links.unlinkAll(fact.player, turn);
        return gameNote?.({ action: "link.end", name: fact.player.name }, fact.player.name, "unlinked");
      case "names":
        return parts.addNames(fact.id, number, fact.names, turn);
      case "snapshot": {
        const added = addPart(await parts.partial(), fact, number);
        if (!added.complete) return parts.setPartial(added.partial, turn);
        const { tps } = added.complete;
        const told = elsewhere.without(added.complete.rows);
        await bans.met(
          told.map(({ player }) => player),
          turn,
        );
        const there = told.filter(({ player }) => !bans.isBanned(player));
        const snapshot = { at: clock.now(), tps, rows: [...(await met(there, turn))] };
        const { rows } = snapshot;
        await known?.listed(snapshot, turn);
        await bus.publish({ kind: "snapshot", snapshot }, turn);
        await presence.listed(run, rows, turn);
        // Another process that is told the last part again needs the others.
        return parts.setPartial(undefined, turn);
      }
      default:
        return fact satisfies never;
    }
  }

  /** Deals with actions whose outcome will never be told, since the game that had them is gone. */
  async function lose(actions: readonly LostAction[], turn: Turn): Promise<void> {
    await parts.setPartial(undefined, turn);
    const reason = "the game server restarted before it answered";
    await allOf(actions.map(action => tellOutcome({ ...action, status: "failed", reason }, turn)));
  }

  return {
    handle,
    /** Deals with the hello of a run, and with the actions that ended with the run before. */
    async began(run: string, lost: readonly LostAction[], turn: Turn): Promise<void> {
      await lose(lost, turn);
      await presence.began(run, turn);
    },
  };
}
