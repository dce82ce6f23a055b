import type { PlayerRef } from "../shared/actions.ts";
import type { Fact } from "../shared/facts.ts";
import type { HelloAnswer } from "../shared/frames.ts";
import type { GameTextKey } from "../shared/game-texts.ts";
import type { Hello } from "../shared/requests.ts";
import { createBans } from "./bans/bans.ts";
import { createActionQueue } from "./bridge/action-queue.ts";
import { createConnection } from "./bridge/connection.ts";
import { createFactQueue, type FactDelivery } from "./bridge/fact-queue.ts";
import { createChat } from "./chat/chat.ts";
import { createSay } from "./chat/say.ts";
import { createCommandForms } from "./command-forms.ts";
import { createReplies } from "./commands.ts";
import type { PackContext } from "./context.ts";
import { createForget } from "./known-players/forget.ts";
import { createLinking } from "./linking/linking.ts";
import { createKick } from "./moderation/kick.ts";
import { createNotices } from "./notices.ts";
import { createPlayerForms } from "./player-forms.ts";
import { createChoices } from "./players/choices.ts";
import { createHeldEvents } from "./players/held-events.ts";
import { createJoinsAndDeaths } from "./players/joins-and-deaths.ts";
import { createPlayerNames } from "./players/player-names.ts";
import { createPlayerRecords } from "./players/player-records.ts";
import { createRoster, identity, type Roster } from "./players/roster.ts";
import { createSnapshots } from "./players/snapshots.ts";
import type { AllowList, Clock, Forms, HttpClient, Players, Say, Store } from "./ports.ts";
import { createStatus } from "./status/status.ts";
import { createTpsMeter } from "./status/tps.ts";
import { createTexts, type TextValues } from "./texts.ts";
import { createWhitelist } from "./whitelist/whitelist.ts";

export interface PackDeps<P> {
  clock: Clock;
  /** a number from 0 up to 1 */
  random(): number;
  say: Say;
  /** Runs a callback at the end of this tick, or in the next one. */
  soon(callback: () => void): void;
  http: HttpClient;
  players: Players<P>;
  store: Store;
  /** undefined when the game cannot show forms */
  forms: Forms<P> | undefined;
  allowList(): AllowList | undefined;
  /** `command` when the pack cannot hear game chat */
  gameChat?: Hello["gameChat"] | undefined;
  /** Whether a player's identity is decided; without it, it is as soon as they join. Throws when they have left. */
  isKnown?: ((player: P) => boolean) | undefined;
}

export type Pack<P> = ReturnType<typeof createPack<P>>;

/** The whole pack without the game: it takes the game's events, and acts through its ports. */
export function createPack<P>(deps: PackDeps<P>) {
  const { clock, players, store } = deps;
  const notices = createNotices(deps.say);
  const { safely } = notices;
  const facts = createFactQueue();
  const tps = createTpsMeter();
  const texts = createTexts();
  const records = createPlayerRecords(clock, store, notices);
  const names = createPlayerNames(clock, store);
  const roster: Roster<P> = createRoster({
    clock,
    players,
    records,
    joined: member => presence.added(member),
    keepsOut: (ref, player) => bans.keepsOut(ref, player),
  });
  let session = "";
  // Whether this session has had a snapshot.
  let isListed = false;
  let isFlushing = false;
  let isStopped = false;

  const context: PackContext<P> = {
    clock,
    players,
    store,
    notices,
    texts,
    roster,
    report,
    reportJson,
    tell,
    isLive: () => connection.isLive(),
    // Nothing else would catch an error of the callback.
    soon: callback => deps.soon(() => safely("acting", callback)),
  };
  const commands = createReplies(context);
  const forms = createPlayerForms(context, deps.forms);
  const commandForms = createCommandForms(clock);
  const held = createHeldEvents(deps.isKnown ?? (() => true));

  const snapshots = createSnapshots({
    players,
    roster,
    tps: () => tps.read(clock.tick(), clock.now()),
    vanished: id => void presence.removed(id),
    ready(parts, isAscii) {
      forget.report();
      // Ahead of the rows that reflect them; but the sidecar accepts choices only of players whose row it has.
      if (isListed) choices.report();
      facts.pushSnapshot(parts, isAscii);
      choices.report();
      isListed = true;
      flushSoon();
    },
  });
  const left = (id: string): void => presence.left(id);
  const bans = createBans(context, commands, names, left);
  const forget = createForget(context, commands, {
    records,
    names,
    forms,
    commandForms,
    changed: snapshots.changed,
  });
  const linking = createLinking(context, commands, forms, ref => commandForms.isOpen(identity(ref)));
  const presence = createJoinsAndDeaths(context, { records, names, linking, bans, snapshots });
  const choices = createChoices(context, commands, {
    records,
    changed: snapshots.changed,
    declineAll: member => linking.declineAll(member.ref),
  });
  const chat = createChat(context, commands, bans.isBlocked);
  const said: typeof chat.said = (name, text, speaker, targets) =>
    held.happened([speaker], () => chat.said(name, text, speaker, targets));
  const say = createSay(context, commands, {
    commandForms,
    forms: deps.forms,
    isBlocked: bans.isBlocked,
    said,
  });
  const kick = createKick(context, left);
  const whitelist = createWhitelist(context, deps.allowList);

  const actions = createActionQueue(
    clock,
    {
      tell: ({ player, message, values }) => ({ status: tell(player, message, values) ? "done" : "offline" }),
      ...chat.actions,
      ...linking.actions,
      ...whitelist.actions,
      ...kick.actions,
      ...bans.actions,
      ...choices.actions,
      ...forget.actions,
    },
    (outcome, sendBy) => {
      const onAcknowledged = outcome.do === "kick" ? () => kick.acknowledged(outcome.id) : undefined;
      report({ is: "outcome", ...outcome }, { sendBy, onAcknowledged });
    },
  );

  const connection = createConnection({
    clock,
    store,
    notices,
    facts,
    bans,
    welcomed,
    http: deps.http,
    gameChat: deps.gameChat,
    textsId: texts.id,
    random: deps.random,
    newestRequest: linking.newest,
    delivered(fresh, sentAt) {
      actions.take(fresh, sentAt);
      // Most outcomes are sent immediately: a browser waits for them.
      flush();
    },
  });

  const status = createStatus(context, {
    connection: connection.status,
    waiting: () => ({ facts: facts.size(), actions: actions.size(), links: linking.size() }),
    bans: bans.counts,
  });

  function welcomed(answer: HelloAnswer, sentAt: number, newest: number): void {
    texts.update(answer);
    if (answer.session !== session) facts.renew();
    facts.outdate();
    session = answer.session;
    isListed = false;
    records.share(answer.server !== undefined);
    bans.welcomed(answer.bans === true);
    forget.welcomed(answer.forgets === true);
    linking.welcomed(answer, sentAt, newest);
    snapshots.every(answer.refreshMs);
    snapshots.restart();
  }

  function tell(ref: PlayerRef | undefined, key: GameTextKey, values?: TextValues): boolean {
    const member = ref && roster.find(ref);
    if (ref !== undefined && member === undefined) return false;
    const text = texts.text(member && players.locale(member.player), key, values);
    if (member === undefined) deps.say(text);
    else players.tell(member.player, text);
    return true;
  }

  function report(fact: Fact, delivery?: FactDelivery): void {
    reportJson(fact.is, JSON.stringify(fact), delivery);
  }

  function reportJson(kind: Fact["is"], json: string, delivery?: FactDelivery): void {
    facts.push(kind, json, delivery);
    if (delivery?.sendBy === undefined) flushSoon();
  }

  /** Sends all facts of a tick in one request. */
  function flushSoon(): void {
    if (isFlushing || isStopped) return;
    isFlushing = true;
    deps.soon(flush);
  }

  function flush(): void {
    isFlushing = false;
    safely("sending", connection.flush, clock.now());
  }

  function stepForms(now: number): void {
    commandForms.step();
    linking.step(now);
  }

  function stepTps(now: number): void {
    tps.step(clock.tick(), now);
  }

  const allCommands = {
    status,
    ...linking.commands,
    ...choices.commands,
    ...forget.commands,
    ...chat.commands,
    ...say.commands,
    ...bans.commands,
  };

  return {
    commands: allCommands,
    /** The commands that this player, or the console, can give now. */
    commandsOf(player: P | undefined): Partial<typeof allCommands> {
      const id = player && players.id(player);
      return id !== undefined && held.isWaiting(id) ? say.commands : allCommands;
    },
    /** To be called once the world is loaded. */
    begin() {
      safely("listing players", () => {
        bans.begin();
        roster.refresh(true);
        for (const player of players.list() ?? []) held.add(players.id(player) ?? "", player, roster.join);
      });
    },
    /** The message for a player who may not join; undefined: they may. */
    refusal(name: string, persistentId: string): string | undefined {
      return safely("checking whether a player is banned", () => bans.refusal(name, persistentId));
    },
    /** To be called every tick after `begin`. */
    step() {
      if (isStopped) return;
      const now = clock.now();
      safely("adding players", held.step);
      safely("measuring", stepTps, now);
      safely("acting", actions.step, now);
      safely("showing forms", stepForms, now);
      if (connection.isLive()) safely("reading players", snapshots.step, now);
      safely("counting", records.step, now);
      safely("saving bans", bans.step);
      safely("saving names", names.step);
      safely("talking to the sidecar", connection.step, now);
    },
    /** A player has joined and can play. */
    joined(player: P) {
      safely("adding a player", () => {
        const id = players.id(player) ?? "";
        roster.joins(id);
        held.add(id, player, presence.spawned);
      });
    },
    left(id: string) {
      safely("dismissing a player", () => {
        held.left(id);
        left(id);
      });
    },
    died(id: string, killer: string | undefined) {
      held.happened([id, killer], () => presence.died(id, killer));
    },
    said,
    /** The script ends. */
    stop() {
      isStopped = true;
      connection.stop();
      safely("storing player figures", records.saveAll);
      safely("storing bans", bans.stop);
      safely("storing names", names.save);
    },
  };
}
