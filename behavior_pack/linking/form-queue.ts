import type { PlayerRef } from "../../shared/actions.ts";
import type { WantedForm } from "../../shared/frames.ts";
import { MAX_FORMS_PER_PLAYER, MAX_LINK_REQUESTS } from "../../shared/limits.ts";
import { identity } from "../players/roster.ts";
import type { Clock, FormEnd } from "../ports.ts";
import { createSeen } from "../recent-keys.ts";

/** Wait while the player has another screen open, in ticks: twice a second. */
export const BUSY_TICKS = 10;

/**
 * How long a player's game may take to say that it shows something else, in ticks: a second. Nothing tells that a form
 * is on the screen; the one that was not refused by then is.
 */
const SHOWN_TICKS = 20;

/** Wait after the player closed the form, or after an error, in ticks. */
const CLOSED_TICKS = 20;

/** Wait for a player who is not there. The game says that they quit before it takes them off its list. */
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

/** Forms shown in one tick, to all players together. */
const SHOWN_PER_TICK = 8;

export interface LinkRequest {
  request: string;
  player: PlayerRef;
  /** first characters of the browser session */
  browser: string;
  /** what another site is called that asks */
  site?: string | undefined;
  /** wall time in milliseconds after which the player may not answer any more */
  deadline: number;
}

interface FormQueueDeps {
  clock: Clock;
  /** how long no form can be shown to the player, in ticks; none left: now */
  wait(player: PlayerRef): number;
  /** whether such a player wants no requests */
  blocked(player: PlayerRef): boolean;
  show(request: LinkRequest, ended: (end: FormEnd) => void): void;
  close(player: PlayerRef): void;
  answered(request: string, accepted: boolean): void;
  /** The player declined a form that was shown. */
  declined(player: PlayerRef): void;
}

interface QueuedRequest extends LinkRequest {
  mark: number;
}

/** The requests of one player. */
interface PlayerQueue {
  player: PlayerRef;
  waiting: QueuedRequest[];
  /** number of the form that was shown last, 0 when it has ended or is to go */
  showing: number;
  /** tick before which no form is shown */
  readyAt: number;
  /** tick in which the last form was shown */
  shownAt: number;
}

/** Requests that are over and remembered; more cannot be open at once. */
const REMEMBERED = 2 * MAX_LINK_REQUESTS;

export type FormQueue = ReturnType<typeof createFormQueue>;

/** Link requests that wait for their players' answers, one form at a time for each player. */
export function createFormQueue(deps: FormQueueDeps) {
  const { clock } = deps;
  const queues = new Map<string, PlayerQueue>();
  // Where each request waits.
  const queueOf = new Map<string, PlayerQueue>();
  // What each request that is over was answered, nothing where its time has ended: the sidecar may have a little left of it.
  const over = createSeen<boolean | undefined>(REMEMBERED);
  // Forms that are to go, once it is sure that what would be closed with them is no other pack's: the game closes all.
  const unwanted = new Map<number, { player: PlayerRef; at: number }>();
  let marks = 0;
  let shown = 0;
  let wakeTick = 0;
  // Wall time of the earliest deadline.
  let endTime = Infinity;

  function add(wanted: LinkRequest): "done" | "busy" {
    const known = queueOf.get(wanted.request)?.waiting.find(held => held.request === wanted.request);
    if (known !== undefined) {
      known.deadline = wanted.deadline;
      endTime = Math.min(endTime, wanted.deadline);
      return "done";
    }
    const { player } = wanted;
    const key = identity(player);
    const queue = queues.get(key) ?? { player, waiting: [], showing: 0, readyAt: 0, shownAt: 0 };
    if (queueOf.size >= MAX_LINK_REQUESTS || queue.waiting.length >= MAX_FORMS_PER_PLAYER) return "busy";
    marks++;
    queue.waiting.push({ ...wanted, mark: marks });
    queues.set(key, queue);
    queueOf.set(wanted.request, queue);
    endTime = Math.min(endTime, wanted.deadline);
    wakeTick = 0;
    return "done";
  }

  function takeDown(queue: PlayerQueue): void {
    unwanted.set(queue.showing, { player: queue.player, at: queue.shownAt + SHOWN_TICKS });
    queue.showing = 0;
    closeUnwanted();
  }

  function closeUnwanted(): void {
    for (const [form, { player, at }] of unwanted)
      if (clock.tick() >= at) {
        unwanted.delete(form);
        deps.close(player);
      }
  }

  /** Takes requests off a queue; the form of the first one is closed when it is on the screen. */
  function drop(queue: PlayerQueue, gone: (held: QueuedRequest) => boolean): void {
    const [first] = queue.waiting;
    if (first === undefined || !queue.waiting.some(gone)) return;
    if (queue.showing > 0 && gone(first)) {
      takeDown(queue);
      // The player may be busy.
      queue.readyAt = Math.max(clock.tick() + 1, queue.shownAt + BUSY_TICKS);
    }
    for (const held of queue.waiting.filter(gone)) queueOf.delete(held.request);
    queue.waiting = queue.waiting.filter(held => !gone(held));
    if (queue.waiting.length === 0) queues.delete(identity(queue.player));
    wakeTick = 0;
  }

  function answer(held: QueuedRequest, accepted: boolean): void {
    if (clock.now() >= held.deadline) return;
    over.add(held.request, accepted);
    deps.answered(held.request, accepted);
  }

  function declineAll(queue: PlayerQueue): void {
    for (const held of queue.waiting) answer(held, false);
    drop(queue, () => true);
  }

  function endDue(now: number): void {
    endTime = Infinity;
    for (const queue of [...queues.values()]) {
      const isDue = (held: QueuedRequest): boolean => now >= held.deadline;
      for (const held of queue.waiting.filter(isDue)) over.add(held.request, undefined);
      drop(queue, isDue);
      for (const held of queue.waiting) endTime = Math.min(endTime, held.deadline);
    }
  }

  function ended(queue: PlayerQueue, held: QueuedRequest, form: number, end: FormEnd): void {
    const last = queue.showing === form;
    if (!unwanted.delete(form) && !last) return;
    if (last) {
      queue.showing = 0;
      queue.readyAt = clock.tick() + WAIT_TICKS[end];
      wakeTick = 0;
    }
    if ((end !== "accepted" && end !== "declined") || !queue.waiting.includes(held)) return;
    answer(held, end === "accepted");
    drop(queue, other => other === held);
    if (end === "declined") deps.declined(queue.player);
  }

  function show(queue: PlayerQueue, tick: number): void {
    const [held] = queue.waiting;
    if (held === undefined || queue.showing > 0 || tick < queue.readyAt) return;
    const wait = deps.wait(queue.player);
    if (wait > 0) {
      // `moved` wakes the queue; this is for a join of which nothing is told.
      queue.readyAt = tick + wait;
      return;
    }
    if (deps.blocked(queue.player)) {
      declineAll(queue);
      return;
    }
    shown++;
    const form = shown;
    queue.showing = form;
    queue.shownAt = tick;
    deps.show({ ...held, player: queue.player }, end => ended(queue, held, form, end));
  }

  return {
    /** Puts a request on the list. `busy`: there are too many, of this player or at all. */
    open: add,
    /** Ends a request and closes its form. */
    close(request: string) {
      const queue = queueOf.get(request);
      if (queue !== undefined) drop(queue, held => held.request === request);
    },
    /** Tells requests that are on the list now from those that come later. */
    mark: () => marks,
    /**
     * Makes the list agree with what the sidecar told in answer to a hello that was sent at wall time `sentAt`, when
     * `mark` was taken.
     */
    reconcile(links: readonly WantedForm[], sentAt: number, mark: number) {
      const known = new Set(links.map(wanted => wanted.request));
      for (const queue of [...queues.values()])
        drop(queue, held => held.mark <= mark && !known.has(held.request));
      for (const { request, player, browser, site, openForMs, open } of links) {
        if (!open) continue;
        const told = over.get(request);
        // The sidecar did not get to store it.
        if (told !== undefined) deps.answered(request, told);
        else if (player !== undefined && !over.has(request))
          add({ request, player, browser, site, deadline: sentAt + openForMs });
      }
    },
    /** The player has joined, or has left: whatever was shown is gone. What waits is shown after so many ticks. */
    moved(player: PlayerRef, waitTicks = CLOSED_TICKS) {
      for (const key of new Set([player.persistentId, player.id])) {
        const queue = queues.get(key);
        if (queue === undefined) continue;
        // A form that came before the player could play may still be there, unless the game has lost it.
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
    waits: (player: PlayerRef): boolean => queues.has(identity(player)),
    size: () => queueOf.size,
    /** Shows and ends what is due. To be called every tick. */
    step(now: number) {
      if (unwanted.size > 0) closeUnwanted();
      if (queueOf.size === 0) return;
      if (now >= endTime) endDue(now);
      const tick = clock.tick();
      if (tick < wakeTick) return;
      wakeTick = Infinity;
      const enough = shown + SHOWN_PER_TICK;
      for (const queue of queues.values()) {
        if (shown < enough) show(queue, tick);
        if (queue.showing === 0) wakeTick = Math.min(wakeTick, Math.max(queue.readyAt, tick + 1));
      }
    },
  };
}
