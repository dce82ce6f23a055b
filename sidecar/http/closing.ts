import type { Clock } from "../ports.ts";

/** Resolves once all of these have settled, or after `withinMs` milliseconds. */
export async function allWithin(
  clock: Pick<Clock, "after">,
  withinMs: number,
  all: readonly Promise<unknown>[],
): Promise<void> {
  let cancel: (() => void) | undefined;
  const late = new Promise<void>(resolve => {
    cancel = clock.after(withinMs, resolve);
  });
  await Promise.race([late, Promise.all(all)]);
  cancel?.();
}
