import type { PlayerRef } from "../shared/actions.ts";
import type { WantedForm } from "../shared/frames.ts";
import { MAX_FORMS_PER_PLAYER, MAX_LINK_REQUESTS } from "../shared/limits.ts";
import type { Clock, FormEnd } from "./ports.ts";
import { identity } from "./roster.ts";
import { createSeen } from "./seen.ts";

/** Wait while the player has another screen open, in ticks: twice a second. */
export const BUSY_TICKS = 10;

/** Wait after the player closed the form, or after an error, in ticks. */
export const CLOSED_TICKS = 20;

/** Forms shown in one tick, to all players together. */
const SHOWN_PER_TICK = 8;

// The game says that the player quit before it takes them off its list.
const QUIT_TICKS = 100;

export interface LinkRequest {
  request: string;
  player: PlayerRef;
  /** first characters of the browser session */
  browser: string;
  /** wall time in milliseconds after which the player may not answer any more */
  deadline: number;
}

export interface FormQueueDeps {
  clock: Clock;
  online(player: PlayerRef): boolean;
  /** `browser`: first characters of the browser session */
  show(player: PlayerRef, browser: string, ended: (end: FormEnd) => void): void;
  close(player: PlayerRef): void;
  answered(request: string, accepted: boolean): void;
}

/** Link requests that wait for their players' answers, one form at a time for each player. */
export interface FormQueue {
  /** Puts a request on the list. `busy`: there are too many, of this player or at all. */
  open(wanted: LinkRequest): "done" | "busy";
  /** Ends a request and closes its form. */
  close(request: string): void;
  /** Tells requests that are on the list now from those that come later. */
  mark(): number;
  /**
   * Makes the list agree with what the sidecar told in answer to a hello that was sent at wall time `sentAt`, when
   * `mark` was taken.
   */
  reconcile(links: readonly WantedForm[], sentAt: number, mark: number): void;
  /** The player has joined, or has left: whatever was shown is gone. What waits is shown after so many ticks. */
  moved(player: PlayerRef, waitTicks?: number): void;
  /** Whether a request waits for this player. */
  waits(player: PlayerRef): boolean;
  size(): number;
  /** Shows and ends what is due. To be called every tick. */
  step(): void;
}

interface Waiting extends LinkRequest {
  mark: number;
}

/** The requests of one player. */
interface Lane {
  player: PlayerRef;
  waiting: Waiting[];
  /** number of the form on the screen, 0 when there is none; the end of any other one is of no interest */
  showing: number;
  /** tick before which no form is shown */
  readyAt: number;
  /** tick before which no form follows one that was not answered: the player may be busy */
  spacedUntil: number;
}

/** Answered requests that are remembered; more cannot be open at once. */
const REMEMBERED = 2 * MAX_LINK_REQUESTS;

export function createFormQueue(deps: FormQueueDeps): FormQueue {
  const { clock } = deps;
  const lanes = new Map<string, Lane>();
  // Where each request waits.
  const places = new Map<string, Lane>();
  const answered = createSeen(REMEMBERED);
  let marks = 0;
  let shown = 0;
  let wakeTick = 0;
  // Wall time of the earliest deadline.
  let endTime = Number.POSITIVE_INFINITY;

  function wake(): void {
    wakeTick = 0;
  }

  function add(wanted: LinkRequest): "done" | "busy" {
    const known = places.get(wanted.request)?.waiting.find(held => held.request === wanted.request);
    if (known !== undefined) {
      known.deadline = wanted.deadline;
      endTime = Math.min(endTime, wanted.deadline);
      return "done";
    }
    const key = identity(wanted.player);
    const lane = lanes.get(key) ?? {
      player: wanted.player,
      waiting: [],
      showing: 0,
      readyAt: 0,
      spacedUntil: 0,
    };
    if (places.size >= MAX_LINK_REQUESTS || lane.waiting.length >= MAX_FORMS_PER_PLAYER) return "busy";
    marks++;
    lane.waiting.push({ ...wanted, mark: marks });
    lanes.set(key, lane);
    places.set(wanted.request, lane);
    endTime = Math.min(endTime, wanted.deadline);
    wake();
    return "done";
  }

  /** Takes requests off a lane; the form of the first one is closed when it is on the screen. */
  function drop(lane: Lane, gone: (held: Waiting) => boolean): void {
    const [first] = lane.waiting;
    if (first === undefined || !lane.waiting.some(gone)) return;
    if (lane.showing > 0 && gone(first)) {
      lane.showing = 0;
      lane.readyAt = Math.max(clock.tick() + 1, lane.spacedUntil);
      deps.close(lane.player);
    }
    const rest: Waiting[] = [];
    for (const held of lane.waiting) {
      if (gone(held)) places.delete(held.request);
      else rest.push(held);
    }
    lane.waiting = rest;
    if (rest.length === 0) lanes.delete(identity(lane.player));
    wake();
  }

  function endDue(now: number): void {
    endTime = Number.POSITIVE_INFINITY;
    for (const lane of [...lanes.values()]) {
      drop(lane, held => now >= held.deadline);
      for (const held of lane.waiting) endTime = Math.min(endTime, held.deadline);
    }
  }

  function ended(lane: Lane, form: number, end: FormEnd): void {
    if (lane.showing !== form) return;
    lane.showing = 0;
    wake();
    const tick = clock.tick();
    const [held] = lane.waiting;
    if (held === undefined) return;
    switch (end) {
      case "accepted":
      case "declined":
        lane.readyAt = tick;
        if (clock.now() < held.deadline) {
          answered.add(held.request);
          deps.answered(held.request, end === "accepted");
        }
        drop(lane, other => other === held);
        return;
      case "busy":
        lane.readyAt = tick + BUSY_TICKS;
        return;
      case "closed":
      case "failed":
        lane.readyAt = tick + CLOSED_TICKS;
        return;
      case "quit":
        lane.readyAt = tick + QUIT_TICKS;
        return;
    }
  }

  function show(lane: Lane, tick: number): void {
    const [held] = lane.waiting;
    if (held === undefined || lane.showing > 0 || tick < lane.readyAt) return;
    if (!deps.online(lane.player)) {
      // `moved` wakes the lane; this is for a join of which nothing is told.
      lane.readyAt = tick + QUIT_TICKS;
      return;
    }
    shown++;
    const form = shown;
    lane.showing = form;
    lane.spacedUntil = tick + BUSY_TICKS;
    deps.show(lane.player, held.browser, end => ended(lane, form, end));
  }

  return {
    open: add,
    close(request) {
      const lane = places.get(request);
      if (lane !== undefined) drop(lane, held => held.request === request);
    },
    mark: () => marks,
    reconcile(links, sentAt, mark) {
      const known = new Set(links.map(wanted => wanted.request));
      for (const lane of [...lanes.values()])
        drop(lane, held => held.mark <= mark && !known.has(held.request));
      for (const { request, player, browser, openForMs, open } of links) {
        const deadline = sentAt + openForMs;
        if (player !== undefined && open && !answered.has(request))
          add({ request, player, browser, deadline });
      }
    },
    moved(player, waitTicks = CLOSED_TICKS) {
      for (const key of new Set([player.persistentId, player.id])) {
        const lane = lanes.get(key);
        if (lane === undefined) continue;
        // A form that came before the player could play may still be there; its answer would be lost.
        if (lane.showing > 0) deps.close(lane.player);
        lane.showing = 0;
        lane.readyAt = clock.tick() + waitTicks;
        wake();
      }
    },
    waits: player => lanes.has(identity(player)),
    size: () => places.size,
    step() {
      if (places.size === 0) return;
      if (clock.now() >= endTime) endDue(clock.now());
      const tick = clock.tick();
      if (tick < wakeTick) return;
      wakeTick = Number.POSITIVE_INFINITY;
      const enough = shown + SHOWN_PER_TICK;
      for (const lane of lanes.values()) {
        if (shown < enough) show(lane, tick);
        if (lane.showing === 0) wakeTick = Math.min(wakeTick, Math.max(lane.readyAt, tick + 1));
      }
    },
  };
}
