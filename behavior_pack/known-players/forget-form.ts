import type { PlayerRef } from "../../shared/actions.ts";
import { WAIT_TICKS } from "../linking/form-queue.ts";
import { identity } from "../players/roster.ts";
import type { Clock, FormEnd } from "../ports.ts";

/** How often a question is shown to a player who has another screen open: for five seconds. */
const MOST_TRIES = 10;

/** How long a question of which nothing is heard keeps other forms away, in ticks: a minute. */
const OPEN_TICKS = 1200;

interface Question {
  player: PlayerRef;
  tries: number;
  /** tick of the next try */
  readyAt: number;
  /** tick in which it keeps other forms away no longer */
  until: number;
}

/** A question that players bring up themselves by a command, shown once their screens are free. */
export function createQuestions(deps: {
  clock: Clock;
  show(player: PlayerRef, ended: (end: FormEnd) => void): void;
  accepted(player: PlayerRef): void;
}) {
  const { clock } = deps;
  const open = new Map<string, Question>();

  function ended(question: Question, end: FormEnd): void {
    if ((end === "busy" || end === "failed") && question.tries < MOST_TRIES) {
      question.readyAt = clock.tick() + WAIT_TICKS[end];
      return;
    }
    const key = identity(question.player);
    if (open.get(key) === question) open.delete(key);
    if (end === "accepted") deps.accepted(question.player);
  }

  function show(question: Question): void {
    question.tries++;
    question.readyAt = Infinity;
    deps.show(question.player, end => ended(question, end));
  }

  return {
    ask(player: PlayerRef) {
      const tick = clock.tick();
      const key = identity(player);
      if (!open.has(key)) open.set(key, { player, tries: 0, readyAt: tick, until: tick + OPEN_TICKS });
    },
    /** Whether the player is to see no other form. */
    holds: (player: PlayerRef): boolean => open.has(identity(player)),
    /** Shows what is due. To be called every tick. */
    step() {
      if (open.size === 0) return;
      const tick = clock.tick();
      for (const [key, question] of open)
        if (tick >= question.until) open.delete(key);
        else if (tick >= question.readyAt) show(question);
    },
  };
}
