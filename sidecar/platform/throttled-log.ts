import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import { perMinute, takeToken } from "./rate.ts";

/** Lines with the same message, of each game server where they name one. */
const USUAL = perMinute(20);

/** Longest text of a stranger in a line, in characters. */
const LONGEST = 200;

/**
 * A log that nobody can fill: of the lines with one message, those over the rate are left out, and the next one says in
 * `leftOut` how many were. Messages are fixed texts, so that few are remembered; what differs belongs into the fields. Lines that
 * name a game server in `server`, of which there are few, too, leave out none of another one.
 */
export function throttledLog(log: Log, clock: Clock, lines = USUAL): Log {
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

/** A stranger's text as a line may hold it: not long, and nothing that a terminal would obey. */
export function printable(text: string | undefined): string | undefined {
  return text?.slice(0, LONGEST).replace(/[^ -~]/g, "?");
}

/** The path of a request without its query and the rest of a session: whoever reads the log could go on as that browser. */
export const pathForLog = (url = ""): string | undefined =>
  printable(
    url
      .replace(/[?#].*/, "")
      .replace(/([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "$1..."),
  );
