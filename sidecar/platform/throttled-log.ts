import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { perMinute, takeToken } from "./rate.ts";

/** Rate of one message, per game server if the line names one. */
const DEFAULT_RATE = perMinute(20);

/** Longest text from outside in a line, in characters. */
const LONGEST = 200;

/**
 * A log with a rate for each message, and for each game server in the field `server`: lines over it are left out, and the next one
 * says how many in `leftOut`. Messages have to be fixed texts, since each is remembered.
 */
export function throttledLog(log: Log, clock: Clock, lines = DEFAULT_RATE): Log {
  const kinds = new Map<string, { tokens: number; at: number; leftOut: number }>();
  const at =
    (level: keyof Log): Log["info"] =>
    (fields, message) => {
      const now = clock.monotonic();
      const name = "server" in fields ? `${fields.server}: ${message}` : message;
      const kind = kinds.get(name) ?? { tokens: lines.burst, at: now, leftOut: 0 };
      kinds.set(name, kind);
      if (!takeToken(kind, lines, now)) {
        kind.leftOut++;
        return;
      }
      const { leftOut } = kind;
      kind.leftOut = 0;
      log[level](leftOut > 0 ? { ...fields, leftOut } : fields, message);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** A text from outside for the log: shortened, without control characters. */
export function printable(text: string | undefined): string | undefined {
  return text?.slice(0, LONGEST).replace(/[^ -~]/g, "?");
}

/** The path of a request for the log, without its query and with shortened sessions, which would allow to act as that browser. */
export const pathForLog = (url = ""): string | undefined =>
  printable(
    url
      .replace(/[?#].*/, "")
      .replace(/([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "$1..."),
  );
