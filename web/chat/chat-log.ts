import type { Segment } from "../../client/index.ts";

/**
 * A line of the log. `game`: said in the game; `web`: said in a browser; `unproven`: it looks as if it was said in the
 * game, which nothing proves; `own`: said here; `activity`: who came, left or died, and the game server itself; `gap`:
 * something before it was missed; `note`: what the service says about a line.
 */
export interface Line {
  id: number;
  at: number;
  kind: "game" | "web" | "unproven" | "own" | "activity" | "gap" | "note";
  segments: Segment[];
  /** instead of segments what the page says by itself, in the language that it speaks when it is drawn */
  says?: () => Segment[];
  author?: Author;
  /** name of the game server that it is of, where there are several and it is not of all */
  server?: string;
  /** here before the feed had it; its place is where the feed brings it */
  isEarly?: boolean;
  /** not shown as long as the feed may bring it in a moment, and say for certain who said it */
  isHeld?: boolean;
  /**
   * `underway`: nobody has said yet that it was read; `unsent`: as far as anybody knows it went nowhere; `barred`: it went
   * nowhere, and as it is it never will
   */
  sending?: "underway" | "unsent" | "barred";
}

/** Who said a line: a player, or the browser by its label. */
export interface Author {
  name: string;
  /** of a player, where that is known */
  uuid?: string;
}

/** Lines that the page keeps; the oldest go first. */
export const MAX_LINES = 300;

export interface ChatLog {
  lines: readonly Line[];
  /** lines that came while nobody looked */
  unread: number;
  /** id of the first of them that is left, also for a while after they were seen */
  unreadFrom: number | undefined;
}

/**
 * `added`: `unread` are the ids of the lines that nobody saw coming; ids rise. `resumed`: the feed brings all that was
 * here before it had it; `unfed`: it does not come, and what was held is shown. `sent`: the service has read the line `id`;
 * `lost`: it has not, or nobody knows; `refused`: it went nowhere, so that the feed never brings it; `barred`: neither will it
 * when it is sent again; `dropped`: it is not to be seen any more.
 */
export type ChatLogEvent =
  | { is: "added"; lines: readonly Line[]; unread: readonly number[] }
  | { is: "read" | "resumed" | "unfed" }
  | { is: "sent" | "lost" | "refused" | "barred" | "dropped"; id: number };

export const EMPTY: ChatLog = { lines: [], unread: 0, unreadFrom: undefined };

/** Whether a line is among those of a game server; undefined: of all of them. */
export const isOf = ({ server }: Pick<Line, "server">, only: string | undefined): boolean =>
  only === undefined || server === undefined || server === only;

const isEarlyOwn = (line: Line): boolean => line.isEarly === true && line.kind === "own";
const isOpenOwn = (line: Line): boolean => line.kind === "own" && line.sending !== undefined;
const textOf = ({ segments }: Line): string => segments.map(({ text }) => text).join("");

/** Lines with more of them; one that was said here and is now in the feed moves to its place there. */
function joined(lines: readonly Line[], more: readonly Line[]): Line[] {
  const all = [...lines];
  for (const line of more) {
    if (line.kind === "own" && !line.isEarly) {
      const early = all.findIndex(one => isEarlyOwn(one) && textOf(one) === textOf(line));
      if (early >= 0) all.splice(early, 1);
    }
    all.push(line);
  }
  return all.slice(-MAX_LINES);
}

const changed = (log: ChatLog, id: number, change: (line: Line) => Line): ChatLog => ({
  ...log,
  lines: log.lines.map(line => (line.id === id ? change(line) : line)),
});

/** The log after an event. */
export function chatLogReducer(log: ChatLog, event: ChatLogEvent): ChatLog {
  switch (event.is) {
    case "read":
      return log.unread === 0 ? log : { ...log, unread: 0 };
    case "resumed": {
      const lines = log.lines.filter(line => !line.isEarly || isOpenOwn(line));
      const { unreadFrom = 0 } = log;
      const again = log.lines.filter(line => line.isEarly && line.kind !== "own" && line.id >= unreadFrom);
      return { ...log, lines, unread: Math.max(0, log.unread - again.length) };
    }
    case "unfed":
      return { ...log, lines: log.lines.map(({ isHeld: _, ...line }) => line) };
    case "sent":
      return changed(log, event.id, ({ sending: _, ...line }) => line);
    case "lost":
      return changed(log, event.id, line => ({ ...line, sending: "unsent" }));
    case "refused":
      return changed(log, event.id, line => ({ ...line, sending: "unsent", isEarly: false }));
    case "barred":
      return changed(log, event.id, line => ({ ...line, sending: "barred", isEarly: false }));
    case "dropped":
      return { ...log, lines: log.lines.filter(({ id }) => id !== event.id) };
    case "added": {
      const lines = joined(log.lines, event.lines);
      const from = log.unread === 0 ? (event.unread[0] ?? log.unreadFrom) : log.unreadFrom;
      return {
        lines,
        unread: log.unread + event.unread.length,
        unreadFrom: from === undefined ? undefined : (lines.find(({ id }) => id >= from)?.id ?? from),
      };
    }
    default:
      return event satisfies never;
  }
}
