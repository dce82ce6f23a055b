import type { RefObject } from "preact";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { isSurelyFromWeb, segments } from "../../client/index.ts";
import { useLatest } from "../platform/hooks.ts";
import { texts } from "../platform/texts.ts";
import type { Feed } from "../service/feed.ts";
import type { FeedUpdate, StoredEvent } from "../service/feed-updates.ts";
import type { Session } from "../service/session.ts";
import {
  type ChatLog,
  chatLogReducer,
  EMPTY,
  isOf,
  type Line,
  MAX_LINES,
  type SendResult,
} from "./chat-log.ts";
import { lineOf, plain, splitAuthor } from "./event-lines.ts";

/** Lines are drawn in batches, so that a flood of them does not freeze the page. */
const DRAW_EVERY_MS = 50;
/** Event ids that are remembered to drop repeated events, which come after a gap. */
const MAX_KNOWN_IDS = 2_000;

export interface ChatLogControl {
  log: ChatLog;
  /** whether the lines from before the page was opened have loaded */
  hasHistory: boolean;
  /** Adds an error of the service. `text`: in the current language. */
  addNote(text: () => string): void;
  /** Adds a line that is being sent, until the feed delivers it. Returns its id. */
  addOwn(text: string): number;
  /** Records the result of a sent message. */
  settle(id: number, result: SendResult): void;
  /** Adds a line of `/chat` while the feed is not open, until the feed delivers it. */
  addEarly(content: string): void;
  /** Notes whether the end of the log is visible. */
  setLooking(isLooking: boolean): void;
}

/**
 * The lines of the log. The feed delivers each of them once and in order. `session`: its lines are own ones; `onlyServer`: name
 * of the only game server whose lines are shown, and that lines are sent to.
 */
export function useChatLog(
  { subscribe }: Feed,
  session: RefObject<Session>,
  onlyServer: string | undefined,
): ChatLogControl {
  const latestOnly = useLatest(onlyServer);
  const [log, dispatch] = useReducer(chatLogReducer, EMPTY);
  const [hasHistory, setHasHistory] = useState(false);
  const isLooking = useRef(true);
  const feedState = useRef<Feed["is"]>("connecting");
  const knownIds = useRef(new Set<string>());
  const ownLabel = useRef<string | undefined>(undefined);
  const batch = useRef<{ lines: Line[]; unread: number[]; timer?: ReturnType<typeof setTimeout> }>({
    lines: [],
    unread: [],
  });
  const lastId = useRef(0);

  const calls = useMemo(() => {
    const isSeen = (): boolean => isLooking.current && !document.hidden;

    function draw(): void {
      const { lines, unread, timer } = batch.current;
      clearTimeout(timer);
      batch.current = { lines: [], unread: [] };
      dispatch({ is: "added", lines, unread: isSeen() ? [] : unread });
    }

    function add(content: Omit<Line, "id">, isNew = true): number {
      const { current } = batch;
      const line = { ...content, id: ++lastId.current };
      current.lines.push(line);
      const isMessage = line.kind === "game" || line.kind === "web" || line.kind === "unproven";
      if (isMessage && isNew && !isSeen() && isOf(line, latestOnly.current)) current.unread.push(line.id);
      if (current.lines.length >= MAX_LINES) draw();
      else current.timer ??= setTimeout(draw, DRAW_EVERY_MS);
      return line.id;
    }

    function isKnown({ id }: StoredEvent): boolean {
      const { current } = knownIds;
      if (current.has(id)) return true;
      current.add(id);
      for (const oldest of current) {
        if (current.size <= MAX_KNOWN_IDS) break;
        current.delete(oldest);
      }
      return false;
    }

    function addEvent(event: StoredEvent, isNew = true): void {
      if (isKnown(event)) return;
      const isOwn = event.event === "chat" && event.label !== undefined && event.label === ownLabel.current;
      const last = batch.current.lines.at(-1);
      // The gap ends at the first event after it, as far as the clocks agree.
      if (last?.kind === "gap") last.says = missed(last.at, Math.min(event.at, Date.now()));
      const line = lineOf(event, isOwn);
      if (line) add(line, isNew);
    }

    function take(update: FeedUpdate): void {
      switch (update.event) {
        case "history":
          for (const entry of update.entries) addEvent(entry, false);
          draw();
          setHasHistory(true);
          break;
        case "open":
          feedState.current = update.event;
          draw();
          dispatch({ is: "feed_open" });
          setHasHistory(true);
          break;
        case "connecting":
          feedState.current = update.event;
          break;
        case "lost":
          feedState.current = update.event;
          draw();
          dispatch({ is: "feed_lost" });
          break;
        case "gap":
          add({
            at: update.lastReceivedAt,
            kind: "gap",
            segments: [],
            says: missed(update.lastReceivedAt, Date.now()),
          });
          break;
        case "status":
        case "players":
          break;
        default:
          addEvent(update);
      }
    }

    return {
      take,
      addNote: (text: () => string) =>
        void add({ at: Date.now(), kind: "note", segments: [], says: () => [{ text: text() }] }),
      addOwn(text: string): number {
        const segments = [{ text: plain(text) }];
        const { current: server } = latestOnly;
        const where = { at: Date.now(), ...(server !== undefined && { server }) };
        return add({ ...where, kind: "own", segments, isEarly: true, sending: "underway" });
      },
      settle(id: number, is: SendResult): void {
        draw();
        dispatch({ is, id });
      },
      addEarly(content: string): void {
        const parts = segments(content);
        if (parts.length === 0 || feedState.current === "open") return;
        const early = { at: Date.now(), isEarly: true, isHidden: feedState.current === "connecting" };
        if (isSurelyFromWeb(content)) add({ ...early, kind: "web", segments: parts });
        else add({ ...early, kind: "unproven", segments: parts, ...splitAuthor(parts) });
      },
      setLooking(looking: boolean): void {
        isLooking.current = looking;
        if (looking && !document.hidden) dispatch({ is: "read" });
      },
    };
  }, [latestOnly]);
  useEffect(
    () =>
      subscribe(async update => {
        // Own lines are those with the label of this session.
        ownLabel.current = await session.current.label;
        calls.take(update);
      }),
    [subscribe, session, calls],
  );
  return { ...calls, log, hasHistory };
}

const missed = (from: number, to: number) => () => [{ text: texts.missed(Math.max(0, to - from)) }];
