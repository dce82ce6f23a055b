import { WAIT_TICKS } from "./linking/form-queue.ts";
import type { Clock, FormEnd } from "./ports.ts";

/** How many times a form is tried for a player who has another screen open, such as the chat: for five seconds. */
const MAX_TRIES = 10;

/** How long a form that never ends blocks other forms, in ticks: a minute. */
const OPEN_TICKS = 1200;

/** Shows a form; `ended` is called at most once. */
type ShowForm = (ended: (end: FormEnd, finish?: () => void) => void) => void;

interface OpenForm {
  show: ShowForm;
  tries: number;
  /** tick of the next try */
  readyAt: number;
  /** tick in which it stops blocking other forms */
  until: number;
}

export type CommandForms = ReturnType<typeof createCommandForms>;

/** Forms that players open by commands, one for each player. */
export function createCommandForms(clock: Clock) {
  const open = new Map<string, OpenForm>();

  function show(key: string, form: OpenForm): void {
    form.tries++;
    form.readyAt = Infinity;
    form.show((end, finish) => {
      if ((end === "busy" || end === "failed") && form.tries < MAX_TRIES) {
        form.readyAt = clock.tick() + WAIT_TICKS[end];
        return;
      }
      if (open.get(key) === form) open.delete(key);
      if (end === "accepted") finish?.();
    });
  }

  return {
    /** Shows a form with the next step, unless the player has one open. `key`: identity of the player */
    open(key: string, showForm: ShowForm) {
      const tick = clock.tick();
      if (!open.has(key))
        open.set(key, { show: showForm, tries: 0, readyAt: tick, until: tick + OPEN_TICKS });
    },
    isOpen: (key: string): boolean => open.has(key),
    /** Shows forms that are due. To be called every tick. */
    step() {
      if (open.size === 0) return;
      const tick = clock.tick();
      for (const [key, form] of open)
        if (tick >= form.until) open.delete(key);
        else if (tick >= form.readyAt) show(key, form);
    },
  };
}
