import type { Clock, Log } from "../ports.ts";
import { perMinute, takeToken } from "./rate-limit.ts";

/** Lines of one kind that strangers may cause. */
const LINES = perMinute(20);

/** Longest text of a stranger in a line, in characters. */
const LONGEST = 200;

/**
 * A way to warn of what strangers can cause as often as they like, without filling the disk: what is over the rate
 * is left out, and the next line says in `leftOut` how many were.
 */
export function createThrottledWarn(log: Pick<Log, "warn">, clock: Clock): Log["warn"] {
  const bucket = { tokens: LINES.burst, at: clock.now() };
  let leftOut = 0;
  return (fields, message) => {
    if (!takeToken(bucket, LINES, clock.now())) {
      leftOut++;
      return;
    }
    log.warn(leftOut > 0 ? { ...fields, leftOut } : fields, message);
    leftOut = 0;
  };
}

/** A stranger's text as a line may hold it: not long, and nothing that a terminal would obey. */
export function printable(text: string | undefined): string | undefined {
  return text?.slice(0, LONGEST).replace(/[^ -~]/g, "?");
}
