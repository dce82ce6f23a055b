import type { Segment } from "../../client/index.ts";

/**
 * A line of the log. `game`: written in the game; `web`: in another browser; `unproven`: it looks as if from the game, without
 * proof; `own`: written here; `activity`: joins, leaves, deaths, and the game server itself; `gap`: events before it are missing;
 * `note`: an error of the service about a line.
 */
export interface Line {
  id: number;
  at: number;
  kind: "game" | "web" | "unproven" | "own" | "activity" | "gap" | "note";
  segments: Segment[];
  /** instead of segments, a text of the page in its current language */
  says?: () => Segment[];
  /** the player who joined or left */
  passing?: { event: "join" | "leave"; name: string };
  author?: Author;
  /** what the feed calls the browser that it was written in */
  label?: string;
  /** name of the game server, where there are several and the line is not for all */
  server?: string;
  /** shown before the feed has delivered it; the feed then sets its place */
  isEarly?: boolean;
  /** hidden while the feed may soon deliver it with its author */
  isHidden?: boolean;
  /** `underway`: not confirmed yet; `unsent`: it may be sent again; `rejected`: the service rejects it permanently */
  sending?: "underway" | "unsent" | "rejected";
}

/** The author of a line: a player, or a browser by its label. */
export interface Author {
  name: string;
  uuid?: string;
}

/** How many lines the page keeps, the newest ones. */
export const MAX_LINES = 300;

export interface ChatLog {
  lines: readonly Line[];
  /** number of lines that came while the end of the log was not visible */
  unread: number;
  /** id of the first of them, also for a while after they were read */
  unreadFrom: number | undefined;
}

/**
 * `added`: `unread` are the ids of unread lines; ids rise. `feed_open`: the feed delivers all early lines again; `feed_lost`:
 * hidden lines are shown. About a line of this page: `sent`: the service has read it; `unconfirmed`: it may not have;
 * `failed`: it has not, so that the feed never delivers it; `rejected`: so, and it will not take it again; `removed`: it was
 * replaced by another attempt.
 */
export type ChatLogEvent =
  | { is: "added"; lines: readonly Line[]; unread: readonly number[] }
  | { is: "read" | "feed_open" | "feed_lost" }
  | { is: SendResult; id: number };
export type SendResult = "sent" | "unconfirmed" | "failed" | "rejected" | "removed";

export const EMPTY: ChatLog = { lines: [], unread: 0, unreadFrom: undefined };

export const textOf = (parts: readonly Segment[]): string => parts.map(({ text }) => text).join("");

/** Whether a line belongs to a game server; without one, every line does. */
export const isOf = ({ server }: Pick<Line, "server">, onlyServer: string | undefined): boolean =>
  onlyServer === undefined || server === undefined || server === onlyServer;

/** Adds lines. A line that was written here moves to the place where the feed delivers it. */
function append(lines: readonly Line[], more: readonly Line[]): Line[] {
  const all = [...lines];
  for (const line of more) {
    if (line.kind === "own" && !line.isEarly) {
      const text = textOf(line.segments);
      const early = all.findIndex(one => one.isEarly && one.kind === "own" && textOf(one.segments) === text);
      if (early >= 0) all.splice(early, 1);
    }
    all.push(line);
  }
  return all.slice(-MAX_LINES);
}

const change = (log: ChatLog, id: number, update: (line: Line) => Line): ChatLog => ({
  ...log,
  lines: log.lines.map(line => (line.id === id ? update(line) : line)),
});

export function chatLogReducer(log: ChatLog, event: ChatLogEvent): ChatLog {
  switch (event.is) {
    case "read":
      return log.unread === 0 ? log : { ...log, unread: 0 };
    case "feed_open": {
      const lines = log.lines.filter(line => !line.isEarly || (line.kind === "own" && line.sending));
      const { unreadFrom = 0 } = log;
      const again = log.lines.filter(line => line.isEarly && line.kind !== "own" && line.id >= unreadFrom);
      return { ...log, lines, unread: Math.max(0, log.unread - again.length) };
    }
    case "feed_lost":
      return { ...log, lines: log.lines.map(({ isHidden: _, ...line }) => line) };
    case "sent":
      return change(log, event.id, ({ sending: _, ...line }) => line);
    case "unconfirmed":
      return change(log, event.id, line => ({ ...line, sending: "unsent" }));
    case "failed":
      return change(log, event.id, line => ({ ...line, sending: "unsent", isEarly: false }));
    case "rejected":
      return change(log, event.id, line => ({ ...line, sending: "rejected", isEarly: false }));
    case "removed":
      return { ...log, lines: log.lines.filter(({ id }) => id !== event.id) };
    case "added": {
      const lines = append(log.lines, event.lines);
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
