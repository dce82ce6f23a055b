import type { PlayerRef } from "../shared/actions.ts";
import type { Fact } from "../shared/facts.ts";
import { NAME_LENGTH } from "../shared/limits.ts";
import type { GameTextKey } from "../shared/texts.ts";
import type { ActionResult, Handlers, PendingAction } from "./bridge/action-queue.ts";
import { splitNames } from "./encode.ts";
import type { FormQueue } from "./linking/form-queue.ts";
import { errorName } from "./notices.ts";
import { CHOICES, type Choice } from "./players/player-records.ts";
import type { Member, Roster } from "./players/roster.ts";
import type { AllowList, Clock, Players } from "./ports.ts";
import { createSeen } from "./recent-keys.ts";

/** How long a change may take to be seen in the game, in ticks. */
const READ_BACK_TICKS = 100;

/** The same for a change that the game refused: it may have been made a moment ago. */
const REFUSED_TICKS = 20;

interface HandlerDeps<P> {
  clock: Clock;
  players: Players<P>;
  roster: Roster<P>;
  forms: FormQueue;
  /** whether this game can show forms at all */
  canShow: boolean;
  allowList(): AllowList | undefined;
  fact(fact: Fact): void;
  /** Shows a text to a player, or on the console where it is for none. False: the player is not online. */
  tell(player: PlayerRef | undefined, message: GameTextKey, values?: Record<string, string>): boolean;
  /** Has a choice count that a player has made on another server. */
  chosen(member: Member<P>, what: Choice, value: boolean): void;
  /** Deals with it that a player has left, also where the game has not told of it. */
  left(id: string): void;
  /** The sidecar has something new in its list of bans. */
  bansDue(): void;
  /** Whether the sidecar has heard what became of the kick of this id. */
  wasHeard(id: string): boolean;
  /** Sets the figures of a player to zero, as `PlayerStats` does. */
  forget(member: Member<P>, counts: boolean): void;
}

const DONE: ActionResult = { status: "done" };
const OFFLINE: ActionResult = { status: "offline" };
const NO_LIST: ActionResult = { status: "failed", reason: "the game offers no allowlist" };
/** Players who were kicked lately, and for how many ticks one counts who asks again. */
export const MAX_KICKED = 64;
const KICKED_TICKS = 1200;

const UNCHANGED = "the list is as it was";

interface Kicked<P> {
  member: Member<P>;
  tick: number;
  /** of the action */
  id: string;
}

export function createHandlers<P>(deps: HandlerDeps<P>): Handlers {
  const { clock, players, roster, forms } = deps;
  const kicked = createSeen<Kicked<P>>(MAX_KICKED);

  function onList(act: (list: AllowList) => ActionResult | PendingAction): ActionResult | PendingAction {
    const list = deps.allowList();
    return list === undefined ? NO_LIST : act(list);
  }

  /** Done with a player who is online. */
  function of(player: PlayerRef, act: (member: Member<P>) => void): ActionResult {
    const member = roster.find(player);
    if (member === undefined) return OFFLINE;
    act(member);
    return DONE;
  }

  return {
    chat({ text }) {
      players.broadcast(text);
      return DONE;
    },
    tell({ player, message, values }) {
      return deps.tell(player, message, values) ? DONE : OFFLINE;
    },
    "link-open"({ request, username, browser, site, openForMs }, { sentAt }) {
      if (!deps.canShow) return { status: "failed", reason: "the game offers no forms" };
      if (roster.named(username) === undefined) roster.refresh();
      const member = roster.named(username);
      if (member === undefined) return OFFLINE;
      const { blocked } = member.stats;
      if (blocked !== false) return { status: blocked ? "blocked" : "busy" };
      const player = member.ref;
      const status = forms.open({ request, player, browser, site, deadline: sentAt + openForMs });
      return status === "done" ? { status, player } : { status };
    },
    "link-close"({ request }) {
      forms.close(request);
      return DONE;
    },
    "allowlist-read": (_body, { id }) =>
      onList(list => {
        // A name that is too long to be told cannot be anybody's.
        const names = list.names().filter(name => name !== "" && name.length <= NAME_LENGTH);
        for (const part of splitNames(names)) deps.fact({ is: "names", id, names: part });
        return DONE;
      }),
    "allowlist-add": ({ name }) =>
      onList(list => {
        const isOn = () => list.holds(name);
        return isOn() ? DONE : makeSure(isOn, () => list.add(name), UNCHANGED);
      }),
    "allowlist-remove": ({ name }) =>
      onList(list => {
        const entries = list.names().filter(each => each === name);
        if (entries.length === 0) return { status: "absent" };
        return makeSure(
          () => !list.lists(name),
          () => entries.forEach(list.remove),
          UNCHANGED,
        );
      }),
    kick({ name, reason }, { id: action }) {
      // The game takes no object of a player but the one of now.
      roster.refresh();
      const member = roster.named(name);
      const before = kicked.get(name);
      // The sidecar has not heard of the one before: the client retries.
      const since = before === undefined ? Infinity : clock.tick() - before.tick;
      if (member === undefined)
        return before && since <= KICKED_TICKS && !deps.wasHeard(before.id) ? DONE : OFFLINE;
      const { id } = member.ref;
      // Asked for twice at once, it is done once.
      const isUnderWay = before?.member === member && since <= READ_BACK_TICKS;
      const make = (): void => {
        if (isUnderWay) return;
        players.kick(member.player, reason);
        kicked.add(name, { member, tick: clock.tick(), id: action });
      };
      const isGone = (): boolean => {
        const isThere = (): boolean => roster.byId(id) === member;
        // Whoever hears of the outcome has heard of the leaving.
        if (isThere() && players.list()?.every(player => players.id(player) !== id)) deps.left(id);
        return !isThere();
      };
      return makeSure(isGone, make, "the player is still there");
    },
    bans() {
      deps.bansDue();
      return DONE;
    },
    choose: ({ player, ...chosen }) =>
      of(player, member => {
        const { stats } = member;
        // What was chosen here since goes to the sidecar, and counts there as the later one.
        for (const what of CHOICES)
          if (stats[what] !== chosen[what] && !stats.untold.includes(what))
            deps.chosen(member, what, chosen[what]);
      }),
    forget: ({ player, counts }) => of(player, member => deps.forget(member, counts)),
  };
}

/** Done only when it is seen to be as it was to be, whatever the game said to the change; else failed with `unchanged`. */
function makeSure(isSo: () => boolean, make: () => void, unchanged: string): ActionResult | PendingAction {
  let reason = unchanged;
  let ticksLeft = READ_BACK_TICKS;
  try {
    make();
  } catch (error) {
    ticksLeft = REFUSED_TICKS;
    reason = errorName(error);
  }
  const look: PendingAction = () => {
    if (isSo()) return DONE;
    ticksLeft--;
    return ticksLeft < 0 ? { status: "failed", reason } : look;
  };
  return look();
}
