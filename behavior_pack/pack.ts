import type { PlayerRef } from "../shared/actions.ts";
import type { Fact } from "../shared/facts.ts";
import type { LinkForm } from "../shared/frames.ts";
import { PLAYER_ID_LENGTH } from "../shared/limits.ts";
import type { GameTextKey } from "../shared/texts.ts";
import { createBans } from "./bans/bans.ts";
import { createActions } from "./bridge/action-queue.ts";
import { createConnection } from "./bridge/connection.ts";
import { createFactQueue } from "./bridge/fact-queue.ts";
import { createRequests } from "./bridge/requests.ts";
import { worldId } from "./bridge/world-id.ts";
import { createCommands } from "./commands.ts";
import { encodeJoined, encodeLeft } from "./encode.ts";
import { createHandlers, MAX_KICKED } from "./handlers.ts";
import { createHappenings } from "./happenings.ts";
import { createHints } from "./hints.ts";
import { createQuestions } from "./known-players/forget-form.ts";
import { createForgotten } from "./known-players/forget-reports.ts";
import { createKnownNames } from "./known-players/player-names.ts";
import { BUSY_TICKS, createFormQueue, QUIT_TICKS } from "./linking/form-queue.ts";
import { createNotices } from "./notices.ts";
import { createPlayerForms } from "./player-forms.ts";
import { type Choice, createPlayerStats } from "./players/player-records.ts";
import { createRoster, identity, type Member } from "./players/roster.ts";
import { createSnapshots } from "./players/snapshots.ts";
import type { AllowList, Bridge, Clock, Forms, Players, Say, Store } from "./ports.ts";
import { createSeen } from "./recent-keys.ts";
import { createTpsMeter } from "./status/tps.ts";
import { createTexts } from "./texts.ts";

interface PackDeps<P> {
  clock: Clock;
  /** a number from 0 up to 1 */
  random(): number;
  say: Say;
  /** Calls back at the end of this tick, or in the next one. */
  soon(callback: () => void): void;
  bridge: Bridge;
  players: Players<P>;
  store: Store;
  /** undefined when the game cannot show forms */
  forms: Forms<P> | undefined;
  allowList(): AllowList | undefined;
}

export type Pack<P> = ReturnType<typeof createPack<P>>;

/** The whole pack without the game: what happens goes in here, what is to be done goes out by the ports. */
export function createPack<P>(deps: PackDeps<P>) {
  const { clock, players } = deps;
  const notices = createNotices(deps.say);
  const { safely } = notices;
  const facts = createFactQueue();
  const tps = createTpsMeter();
  const stats = createPlayerStats(clock, deps.store, notices);
  const roster = createRoster(clock, players, stats, came, (ref, player): boolean => bans.bars(ref, player));
  const requests = createRequests(clock, deps.bridge);
  const texts = createTexts();
  const names = createKnownNames(clock, deps.store);
  const bans = createBans({ ...deps, notices, roster, texts, names, left });
  const hints = createHints();
  let look: LinkForm = "buttons";
  let session = "";
  // Whether the sidecar wants to hear of players who want to be forgotten.
  let forgets = false;
  // Whether the session has told who is here.
  let isListed = false;
  let flushing = false;
  let stopped = false;

  const playerForms = createPlayerForms({ ...deps, roster, texts, notices });
  const forms = createFormQueue({
    clock,
    wait(ref) {
      const member = roster.find(ref);
      // Whether they want no requests may not be known yet.
      if (deps.forms === undefined || member?.stats.blocked === undefined) return QUIT_TICKS;
      return questions.holds(ref) ? BUSY_TICKS : member.playsAt - clock.tick();
    },
    show: (request, ended) => playerForms.link(request, look, ended),
    close: playerForms.close,
    answered: (request, accepted) => fact({ is: "answered", request, accepted }),
    blocked: ref => roster.find(ref)?.stats.blocked === true,
    declined(ref) {
      if (!hints.declined(identity(ref), clock.now())) return;
      try {
        tell(ref, "bridge.block-hint");
      } catch {
        // Who has left in the same moment hears nothing.
      }
    },
  });

  const questions = createQuestions({
    clock,
    show: playerForms.forget,
    accepted(ref) {
      const member = roster.find(ref);
      if (member === undefined) return;
      const isKept = forgotten.add(ref, member.stats.since);
      if (isKept) forget(member, false);
      tell(ref, isKept ? "bridge.forgotten" : "bridge.forget-failed");
    },
  });

  const forgotten = createForgotten(deps.store, notices, (who, received) => {
    fact({ is: "forgot", ...who }, undefined, undefined, received);
  });

  const snapshots = createSnapshots({
    players,
    roster,
    tps: () => tps.read(clock.tick(), clock.now()),
    vanished: gone,
    ready(parts, isWide) {
      tellForgotten();
      // Ahead of the rows that go by them; but the sidecar believes them of players of whom a snapshot has told.
      if (isListed) tellChoices();
      facts.pushSnapshot(parts, isWide);
      tellChoices();
      isListed = true;
      flushSoon();
    },
  });

  // Kicks of whose outcome the sidecar has heard.
  const heard = createSeen<true>(MAX_KICKED);
  const actions = createActions(
    clock,
    createHandlers({
      ...deps,
      roster,
      forms,
      canShow: deps.forms !== undefined,
      fact,
      tell,
      chosen: (member, what, value) => choose(member, what, value, true),
      left,
      bansDue: bans.due,
      wasHeard: heard.has,
      forget,
    }),
    (outcome, by) => {
      const received = outcome.do === "kick" ? () => heard.add(outcome.id, true) : undefined;
      fact({ is: "outcome", ...outcome }, undefined, by, received);
    },
  );

  const run = `${clock.now().toString(36)}-${deps.random().toString(36).slice(2, 12)}`;
  const connection = createConnection({
    ...deps,
    requests,
    facts,
    notices,
    bans,
    run,
    world: () => worldId(deps.store, run),
    mark: forms.mark,
    welcomed(answer, sentAt, mark) {
      texts.take(answer);
      if (answer.session !== session) facts.renew();
      facts.outdate();
      session = answer.session;
      look = answer.linkForm;
      isListed = false;
      stats.share(answer.server !== undefined);
      forgets = answer.forgets === true;
      bans.welcomed(answer.bans === true);
      tellForgotten();
      forms.reconcile(answer.links, sentAt, mark);
      snapshots.every(answer.refreshMs);
      snapshots.restart();
    },
    delivered(fresh, sentAt) {
      actions.take(fresh, sentAt);
      // Most outcomes go out at once: somebody waits for them.
      sendNow();
    },
  });

  const commands = createCommands({
    ...deps,
    roster,
    texts,
    forms,
    connection,
    bans,
    waiting: () => ({ facts: facts.size(), actions: actions.size() }),
    soon: callback => soon("answering a command", callback),
    fact,
    tell,
    chosen: choose,
    asks: deps.forms && questions.ask,
  });

  /** A player has chosen this, here or with `isTold` elsewhere. */
  function choose(member: Member<P>, what: Choice, value: boolean, isTold = false): void {
    stats.choose(member.stats, what, value, isTold);
    if (what === "hidden" || stats.isShared()) snapshots.changed(member);
    if (what === "blocked" && value) soon("declining requests", () => forms.declineAll(member.ref));
  }

  /** Tells what players have chosen for all servers, also those who have left since. */
  function tellChoices(): void {
    if (!stats.isShared()) return;
    for (const { ref, stats: entry } of [...roster.members(), ...roster.gone()]) {
      const told = stats.tell(entry);
      if (told !== undefined) fact({ is: "chose", player: ref, ...told });
    }
  }

  /** The figures of a player are zero from now on, and without `counts` for the rest of this visit. */
  function forget(member: Member<P>, counts: boolean): void {
    stats.forget(member.stats, counts);
    names.forget(member.ref);
    snapshots.changed(member);
    tellForgotten();
  }

  /** Ahead of all rows that come after: what they say is of players who begin anew. */
  function tellForgotten(): void {
    if (forgets && connection.live()) forgotten.tell();
  }

  /** What is called back has nobody who would catch what it throws. */
  function soon(what: string, callback: () => void): void {
    deps.soon(() => safely(what, callback));
  }

  function stepForms(now: number): void {
    questions.step();
    forms.step(now);
  }

  function measure(now: number): void {
    tps.step(clock.tick(), now);
  }

  function sendNow(): void {
    flushing = false;
    safely("sending", connection.flush, clock.now());
  }

  /** Shows a text to a player, or on the console where it is for none. False: the player is not online. */
  function tell(ref: PlayerRef | undefined, key: GameTextKey, values?: Record<string, string>): boolean {
    const member = ref && roster.find(ref);
    if (ref !== undefined && member === undefined) return false;
    const text = texts.tell(member && players.locale(member.player), key, values);
    if (member === undefined) deps.say(text);
    else players.tell(member.player, text);
    return true;
  }

  function fact(value: Fact, lost?: () => void, by?: number, received?: () => void): void {
    push(value.is, JSON.stringify(value), lost, by, received);
  }

  /** As the queue has it; without `by` it goes with this tick. */
  function push(...[kind, text, lost, by, received]: Parameters<typeof facts.push>): void {
    facts.push(kind, text, lost, by, received);
    if (by === undefined) flushSoon();
  }

  /** One request for everything that happens in this tick. */
  function flushSoon(): void {
    if (flushing || stopped) return;
    flushing = true;
    deps.soon(sendNow);
  }

  function came(member: Member<P>): void {
    names.saw(member.ref);
    forms.moved(member.ref);
    snapshots.came(member);
    if (!connection.live()) return;
    try {
      push("joined", encodeJoined(roster.row(member)));
    } catch {
      // Not readable yet: the next snapshot tells of the player.
    }
  }

  function gone(id: string): Member<P> | undefined {
    snapshots.gone(id);
    const member = roster.leave(id);
    if (member !== undefined) forms.moved(member.ref);
    return member;
  }

  function left(id: string): void {
    const member = gone(id);
    if (bans.gone(id)) return;
    if (connection.live() && id !== "" && id.length <= PLAYER_ID_LENGTH)
      push("left", encodeLeft(id, member && roster.lastRow(member)));
  }

  return {
    /** The world is there. */
    begin() {
      safely("listing players", () => {
        bans.begin();
        roster.refresh(true);
      });
    },
    /** What a player is told who may not join; undefined: they may. */
    refusal(name: string, persistentId: string): string | undefined {
      return safely("looking whether a player is banned", () => bans.refusal(name, persistentId));
    },
    /** To be called every tick after `begin`. */
    step() {
      if (stopped) return;
      const now = clock.now();
      safely("measuring", measure, now);
      safely("acting", actions.step, now);
      safely("showing forms", stepForms, now);
      if (connection.live()) safely("reading players", snapshots.step, now);
      safely("counting", stats.step, now);
      safely("keeping bans", bans.step);
      safely("keeping names", names.step);
      safely("talking to the sidecar", connection.step, now);
    },
    ...createHappenings({
      ...deps,
      notices,
      roster,
      stats,
      forms,
      bans,
      live: connection.live,
      fact,
    }),
    left: (id: string) => safely("dismissing a player", () => left(id)),
    commands,
    /** The script ends. */
    stop() {
      stopped = true;
      connection.stop();
      deps.bridge.cancelAll();
      safely("storing player figures", stats.saveAll);
      safely("storing bans", bans.stop);
      safely("storing names", names.save);
    },
  };
}
