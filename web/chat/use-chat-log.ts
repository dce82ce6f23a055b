import type { RefObject } from "preact";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { isSurelyFromWeb, segments } from "../../client/index.ts";
import { useLatest } from "../platform/hooks.ts";
import { texts } from "../platform/texts.ts";
import type { Feed, FeedNews } from "../service/feed.ts";
import type { Session } from "../service/session.ts";
import { type ChatLog, chatLogReducer, EMPTY, isOf, type Line, MAX_LINES } from "./chat-log.ts";
import { type Kept, lineOf, plain, taken } from "./event-lines.ts";

/** Lines that come together are drawn together, so that a flood of them does not stop the page. */
const DRAW_EVERY_MS = 50;
/** Events that the page knows again when they come a second time, as they may after a gap. */
const KNOWN_EVENTS = 2_000;

type NewLine = Omit<Line, "id">;

interface Lines {
  log: ChatLog;
  /** whether what had happened before the page was opened is there */
  hasHistory: boolean;
  /** Shows what the service says about a line. `text`: in the language of now. */
  note(text: () => string): void;
  /** Shows what was said here, on its way; it moves to its place when the feed brings it. Returns the id of the line. */
  said(text: string): number;
  /** What became of a line that was said here. */
  settle(id: number, how: "sent" | "lost" | "refused" | "barred" | "dropped"): void;
  /** A line of `/chat`: shown where the feed does not come, until it brings that line itself. */
  heard(content: string): void;
  /** Tells whether the end of the log can be seen. */
  look(isLooking: boolean): void;
}

/**
 * The lines of the log. The feed has all of them, each once and in order. `session`: whose lines were said here; `only`: name of
 * the game server to which alone lines are said, and whose lines alone are shown.
 */
export function useLines({ hear }: Feed, session: RefObject<Session>, only: string | undefined): Lines {
  const shownOnly = useLatest(only);
  const [log, dispatch] = useReducer(chatLogReducer, EMPTY);
  const [hasHistory, setHasHistory] = useState(false);
  const isLooking = useRef(true);
  const feedIs = useRef<Feed["is"]>("connecting");
  const known = useRef(new Set<string>());
  const me = useRef<string | undefined>(undefined);
  const waiting = useRef<{ lines: Line[]; unread: number[]; timer?: ReturnType<typeof setTimeout> }>({
    lines: [],
    unread: [],
  });
  const lastId = useRef(0);

  const calls = useMemo(() => {
    const isSeen = (): boolean => isLooking.current && !document.hidden;

    function draw(): void {
      const { lines, unread, timer } = waiting.current;
      clearTimeout(timer);
      waiting.current = { lines: [], unread: [] };
      dispatch({ is: "added", lines, unread: isSeen() ? [] : unread });
    }

    function add(shown: NewLine, isNews = true): number {
      const { current } = waiting;
      const line = { ...shown, id: ++lastId.current };
      current.lines.push(line);
      const isChat = line.kind === "game" || line.kind === "web" || line.kind === "unproven";
      if (isChat && isNews && !isSeen() && isOf(line, shownOnly.current)) current.unread.push(line.id);
      if (current.lines.length >= MAX_LINES) draw();
      else current.timer ??= setTimeout(draw, DRAW_EVERY_MS);
      return line.id;
    }

    function isKnown({ id }: Kept): boolean {
      const { current } = known;
      if (current.has(id)) return true;
      current.add(id);
      for (const oldest of current) {
        if (current.size <= KNOWN_EVENTS) break;
        current.delete(oldest);
      }
      return false;
    }

    function take(event: Kept, isNews = true): void {
      if (isKnown(event)) return;
      const isOwn = event.event === "chat" && event.label !== undefined && event.label === me.current;
      const last = waiting.current.lines.at(-1);
      // Only what lies before the oldest event that is left was missed, as far as the clocks agree.
      if (last?.kind === "gap") last.says = missed(last.at, Math.min(event.at, Date.now()));
      const line = lineOf(event, isOwn);
      if (line) add(line, isNews);
    }

    function takeNews(news: FeedNews): void {
      switch (news.event) {
        case "kept":
          for (const entry of news.entries) take(entry, false);
          draw();
          setHasHistory(true);
          break;
        case "open":
          feedIs.current = "open";
          draw();
          dispatch({ is: "resumed" });
          setHasHistory(true);
          break;
        case "connecting":
          feedIs.current = "connecting";
          break;
        case "lost":
          feedIs.current = "lost";
          draw();
          dispatch({ is: "unfed" });
          break;
        case "gap":
          add({ at: news.heardAt, kind: "gap", segments: [], says: missed(news.heardAt, Date.now()) });
          break;
        case "status":
        case "players":
          break;
        default:
          take(news);
      }
    }

    return {
      takeNews,
      note: (text: () => string) =>
        void add({ at: Date.now(), kind: "note", segments: [], says: () => [{ text: text() }] }),
      said(text: string): number {
        const segments = [{ text: plain(text) }];
        const { current: server } = shownOnly;
        const where = { at: Date.now(), ...(server !== undefined && { server }) };
        return add({ ...where, kind: "own", segments, isEarly: true, sending: "underway" });
      },
      settle(id: number, is: "sent" | "lost" | "refused" | "barred" | "dropped"): void {
        draw();
        dispatch({ is, id });
      },
      heard(content: string): void {
        const parts = segments(content);
        if (parts.length === 0 || feedIs.current === "open") return;
        const early = { at: Date.now(), isEarly: true, isHeld: feedIs.current === "connecting" };
        if (isSurelyFromWeb(content)) add({ ...early, kind: "web", segments: parts });
        else add({ ...early, kind: "unproven", segments: parts, ...taken(parts) });
      },
      look(looks: boolean): void {
        isLooking.current = looks;
        if (looks && !document.hidden) dispatch({ is: "read" });
      },
    };
  }, [shownOnly]);
  useEffect(
    () =>
      hear(async news => {
        // Whose lines they are is told by the label alone.
        me.current = await session.current.label;
        calls.takeNews(news);
      }),
    [hear, session, calls],
  );
  return { ...calls, log, hasHistory };
}

const missed = (from: number, to: number) => () => [{ text: texts.missed(Math.max(0, to - from)) }];
