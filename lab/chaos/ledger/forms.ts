import type { Passage } from "./game-lines.ts";
import type { Violation } from "./order.ts";

/** A form that a player had on the screen. */
export interface Showing {
  at: number;
  /** number of the player's stay in the game */
  stay: number;
  /** whether the player had closed the one before without an answer */
  isReopened: boolean;
}

interface Shown {
  browser: string;
  showings: readonly Showing[];
  /** when the player pressed a button */
  pressedAt: number | undefined;
  /** how the answer of the player went to the sidecar */
  passages: readonly Passage[];
}

/**
 * The form of a request is shown once, and again only to a player who has closed it or was away: FORM-2. After an answer there is
 * none, unless the game has ended before a sidecar had it.
 */
export function judgeForms(all: readonly Shown[]): Violation[] {
  return all.flatMap(({ browser, passages, pressedAt = Number.POSITIVE_INFINITY, showings }) => {
    const ackedAt = Math.min(...passages.map(one => one.ackedAt ?? Number.POSITIVE_INFINITY));
    const stay = showings.findLast(({ at }) => at < pressedAt)?.stay;
    return showings.flatMap((showing, i) => {
      const { at } = showing;
      const before = showings[i - 1];
      if (before && before.stay === showing.stay && !showing.isReopened)
        return [{ at, what: `the form of browser ${browser} came twice` }];
      if (at > pressedAt && (showing.stay === stay || at > ackedAt))
        return [{ at, what: `the form of browser ${browser} came again after it was answered` }];
      return [];
    });
  });
}
