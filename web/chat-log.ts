import type { Segment } from "../client/index.ts";

/**
 * A line of the log. `web`: said in another browser; `game`: looks as if it was said in the game, which nothing proves;
 * `own`: said here; `note`: what the service says about a line.
 */
export interface Line {
  id: number;
  at: number;
  kind: "game" | "web" | "own" | "note";
  segments: Segment[];
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

/** `unread`: ids of the lines that nobody saw coming. Ids rise. */
export type ChatLogEvent =
  | { is: "added"; lines: readonly Line[]; unread: readonly number[] }
  | { is: "read" };

export const EMPTY: ChatLog = { lines: [], unread: 0, unreadFrom: undefined };

/** The log after an event. */
export function chatLogReducer(log: ChatLog, event: ChatLogEvent): ChatLog {
  if (event.is === "read") return log.unread === 0 ? log : { ...log, unread: 0 };
  const lines = [...log.lines, ...event.lines].slice(-MAX_LINES);
  const from = log.unread === 0 ? (event.unread[0] ?? log.unreadFrom) : log.unreadFrom;
  return {
    lines,
    unread: log.unread + event.unread.length,
    unreadFrom: from === undefined ? undefined : Math.max(from, lines[0]?.id ?? 0),
  };
}
