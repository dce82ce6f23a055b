import type { PlayerRef } from "../../shared/actions.ts";
import type { PendingLinkRequest } from "../../shared/frames.ts";
import { MAX_FORMS_PER_PLAYER, MAX_LINK_REQUESTS } from "../../shared/limits.ts";
import { identity } from "../players/roster.ts";
import type { Clock, FormEnd } from "../ports.ts";
import { createRecentKeys } from "../recent-keys.ts";
import { FORMS_PER_TICK } from "../tick-budget.ts";

/** Wait while the player has another screen open, in ticks: twice a second. */
export const BUSY_TICKS = 10;

/**
 * How long a client may take to report that it is busy, in ticks: a second. Nothing reports that a form is on screen; it is if the
 * client has not rejected it by then.
 */
const SHOWN_TICKS = 20;

/** Wait after the player closed the form, or after an error, in ticks. */
const CLOSED_TICKS = 20;

/** Wait for a player who is offline, in ticks. The game reports that they quit before it removes them from its list. */
export const QUIT_TICKS = 100;

/** Wait after a form has ended, in ticks. */
export const WAIT_TICKS: Record<FormEnd, number> = {
  accepted: 0,
  declined: 0,
  busy: BUSY_TICKS,
  closed: CLOSED_TICKS,
  failed: CLOSED_TICKS,
  quit: QUIT_TICKS,
};

export interface LinkRequest {
  request: string;
  player: PlayerRef;
  /** first characters of the browser session */
  browser: string;
  /** name of the site that the player signs in to */
  site?: string | undefined;
  /** wall time in milliseconds after which an answer no longer counts */
  deadline: number;
}

interface FormQueueDeps {
  clock: Clock;
  /** ticks until a form can be shown to the player; 0 or less: now */
  wait(player: PlayerRef): number;
  /** whether the player gets no requests */
  isBlocked(player: PlayerRef): boolean;
  show(request: LinkRequest, ended: (end: FormEnd) => void): void;
  close(player: PlayerRef): void;
  answered(request: string, accepted: boolean): void;
  /** The player declined a form that was shown. */
  declined(player: PlayerRef): void;
}

interface QueuedRequest extends LinkRequest {
  /** rises with each request */
  number: number;
}

/** The requests of one player. */
interface PlayerQueue {
  player: PlayerRef;
  waiting: QueuedRequest[];
  /** number of the form on screen, 0 if it has ended or will be closed */
  showing: number;
  /** tick before which no form is shown */
  readyAt: number;
  /** tick in which the last form was shown */
  openedAt: number;
}

/** Ended requests that are remembered: at least as many as can be open at the same time. */
const MAX_REMEMBERED = 2 * MAX_LINK_REQUESTS;

/** Queue of link requests, which shows each player one form at a time. */
export function createFormQueue(deps: FormQueueDeps) {
  const { clock } = deps;
  const queues = new Map<string, PlayerQueue>();
  // The queue of each request.
  const queueOf = new Map<string, PlayerQueue>();
  // The answer to each ended request, undefined if it timed out: the sidecar may time it out a little later.
  const ended = createRecentKeys<boolean | undefined>(MAX_REMEMBERED);
  // Forms to close once no form of another pack can be on screen instead: the game closes all forms.
  const closing = new Map<number, { player: PlayerRef; at: number }>();
  let newest = 0;
  let formCount = 0;
  let wakeTick = 0;
  // Wall time of the earliest deadline.
  let endTime = Infinity;

  function open(wanted: LinkRequest): "done" | "busy" {
    const known = queueOf.get(wanted.request)?.waiting.find(each => each.request === wanted.request);
    if (known !== undefined) {
      known.deadline = wanted.deadline;
      endTime = Math.min(endTime, wanted.deadline);
      return "done";
    }
    const { player } = wanted;
    const key = identity(player);
    const queue = queues.get(key) ?? { player, waiting: [], showing: 0, readyAt: 0, openedAt: 0 };
    if (queueOf.size >= MAX_LINK_REQUESTS || queue.waiting.length >= MAX_FORMS_PER_PLAYER) return "busy";
    newest++;
    queue.waiting.push({ ...wanted, number: newest });
    queues.set(key, queue);
    queueOf.set(wanted.request, queue);
    endTime = Math.min(endTime, wanted.deadline);
    wakeTick = 0;
    return "done";
  }

  function takeDown(queue: PlayerQueue): void {
    closing.set(queue.showing, { player: queue.player, at: queue.openedAt + SHOWN_TICKS });
    queue.showing = 0;
    closeDue();
  }

  function closeDue(): void {
    for (const [form, { player, at }] of closing)
      if (clock.tick() >= at) {
        closing.delete(form);
        deps.close(player);
      }
  }

  /** Removes requests from a queue; closes the form of the first one if it is on screen. */
  function drop(queue: PlayerQueue, isGone: (request: QueuedRequest) => boolean): void {
    const [first] = queue.waiting;
    if (first === undefined || !queue.waiting.some(isGone)) return;
    if (queue.showing > 0 && isGone(first)) {
      takeDown(queue);
      // The client may still report that the player is busy.
      queue.readyAt = Math.max(clock.tick() + 1, queue.openedAt + BUSY_TICKS);
    }
    for (const each of queue.waiting.filter(isGone)) queueOf.delete(each.request);
    queue.waiting = queue.waiting.filter(each => !isGone(each));
    if (queue.waiting.length === 0) queues.delete(identity(queue.player));
    wakeTick = 0;
  }

  function answer({ request, deadline }: QueuedRequest, accepted: boolean): void {
    if (clock.now() >= deadline) return;
    ended.add(request, accepted);
    deps.answered(request, accepted);
  }

  function declineAll(queue: PlayerQueue): void {
    for (const each of queue.waiting) answer(each, false);
    drop(queue, () => true);
  }

  function endDue(now: number): void {
    endTime = Infinity;
    for (const queue of [...queues.values()]) {
      const isDue = (each: QueuedRequest): boolean => now >= each.deadline;
      for (const each of queue.waiting.filter(isDue)) ended.add(each.request, undefined);
      drop(queue, isDue);
      for (const each of queue.waiting) endTime = Math.min(endTime, each.deadline);
    }
  }

  function formEnded(queue: PlayerQueue, request: QueuedRequest, form: number, end: FormEnd): void {
    const isShowing = queue.showing === form;
    if (!closing.delete(form) && !isShowing) return;
    if (isShowing) {
      queue.showing = 0;
      queue.readyAt = clock.tick() + WAIT_TICKS[end];
      wakeTick = 0;
    }
    if ((end !== "accepted" && end !== "declined") || !queue.waiting.includes(request)) return;
    answer(request, end === "accepted");
    drop(queue, other => other === request);
    if (end === "declined") deps.declined(queue.player);
  }

  function show(queue: PlayerQueue, tick: number): void {
    const [request] = queue.waiting;
    if (request === undefined || queue.showing > 0 || tick < queue.readyAt) return;
    const wait = deps.wait(queue.player);
    if (wait > 0) {
      // `moved` wakes the queue; this covers a join that is not reported.
      queue.readyAt = tick + wait;
      return;
    }
    if (deps.isBlocked(queue.player)) {
      declineAll(queue);
      return;
    }
    formCount++;
    const form = formCount;
    queue.showing = form;
    queue.openedAt = tick;
    deps.show({ ...request, player: queue.player }, end => formEnded(queue, request, form, end));
  }

  return {
    /** Queues a request. `busy`: there are too many, for this player or in total. */
    open,
    /** Ends a request and closes its form. */
    close(request: string) {
      const queue = queueOf.get(request);
      if (queue !== undefined) drop(queue, each => each.request === request);
    },
    /** Number of the newest request. */
    newest: () => newest,
    /** Syncs the queue with the answer to a hello sent at wall time `sentAt`, when `lastNumber` was the newest request. */
    reconcile(links: readonly PendingLinkRequest[], sentAt: number, lastNumber: number) {
      const known = new Set(links.map(wanted => wanted.request));
      for (const queue of [...queues.values()])
        drop(queue, each => each.number <= lastNumber && !known.has(each.request));
      for (const { request, player, browser, site, openForMs, open: isOpen } of links) {
        if (!isOpen) continue;
        const accepted = ended.get(request);
        // The sidecar has not stored the answer.
        if (accepted !== undefined) deps.answered(request, accepted);
        else if (player !== undefined && !ended.has(request))
          open({ request, player, browser, site, deadline: sentAt + openForMs });
      }
    },
    /** The player has joined or left: their form is gone. Shows their waiting requests after the given number of ticks. */
    moved(player: PlayerRef, waitTicks = CLOSED_TICKS) {
      for (const key of new Set([player.persistentId, player.id])) {
        const queue = queues.get(key);
        if (queue === undefined) continue;
        // A form from before the player could play may still be on screen, unless the game dropped it.
        if (queue.showing > 0) takeDown(queue);
        queue.readyAt = clock.tick() + waitTicks;
        wakeTick = 0;
      }
    },
    /** Declines every request of a player. */
    declineAll(player: PlayerRef) {
      const queue = queues.get(identity(player));
      if (queue !== undefined) declineAll(queue);
    },
    /** Whether a request waits for this player. */
    isWaiting: (player: PlayerRef): boolean => queues.has(identity(player)),
    size: () => queueOf.size,
    /** Shows and ends what is due. To be called every tick. */
    step(now: number) {
      if (closing.size > 0) closeDue();
      if (queueOf.size === 0) return;
      if (now >= endTime) endDue(now);
      const tick = clock.tick();
      if (tick < wakeTick) return;
      wakeTick = Infinity;
      const maxForms = formCount + FORMS_PER_TICK;
      for (const queue of queues.values()) {
        if (formCount < maxForms) show(queue, tick);
        if (queue.showing === 0) wakeTick = Math.min(wakeTick, Math.max(queue.readyAt, tick + 1));
      }
    },
  };
}
