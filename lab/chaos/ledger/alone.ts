import type { Violation } from "./order.ts";
import type { Asked } from "./requests.ts";
import type { Mouth } from "./web-lines.ts";

/** A game server while faults meet others only, in milliseconds since the run began. */
export interface Untouched {
  from: number;
  until: number;
}

/** Status from which on an answer says that the service or the game is not well. */
const UNWELL = 500;

/**
 * A game server that no fault meets is as if there were no other: no line of the web is answered with an EXCEPTION, no request
 * fails, and no connection ends.
 */
export function judgeAlone(
  { from, until }: Untouched,
  asked: readonly Asked[],
  mouths: readonly Mouth[],
): Violation[] {
  const isMeanwhile = (at: number): boolean => at > from && at < until;
  return [
    ...asked.flatMap(({ askedAt, answeredAt, status, what }) =>
      askedAt > from && answeredAt < until && (status === undefined || status >= UNWELL)
        ? [{ at: askedAt, what: `${what}: ${status ?? "no answer"}, while faults met others only` }]
        : [],
    ),
    ...mouths.flatMap(mouth => [
      ...mouth.exceptions.filter(isMeanwhile).map(at => ({
        at,
        what: `${mouth.name}: a line did not reach the game, while faults met others only`,
      })),
      ...(isMeanwhile(mouth.until)
        ? [{ at: mouth.until, what: `${mouth.name}: ended, while faults met others only` }]
        : []),
    ]),
  ];
}
