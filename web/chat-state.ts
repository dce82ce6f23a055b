import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Chat, type ChatState, createChat, type Segment, segments } from "../client/index.ts";
import type { ConsoleData } from "./console-data.ts";
import { texts } from "./texts.ts";

/** A line of the log. `own`: said here; `note`: what the service says about a line. */
export interface Line {
  id: number;
  at: number;
  kind: "chat" | "own" | "note";
  segments: Segment[];
}

/** Lines that the page keeps; the oldest go first. */
const MAX_LINES = 300;
/** Lines that come together are drawn together, so that a flood of them does not stop the page. */
const DRAW_EVERY_MS = 50;

export interface ChatView {
  state: ChatState;
  lines: readonly Line[];
  /** lines that came while nobody looked */
  unread: number;
  /** id of the first of them, also for a while after they were seen */
  unreadFrom: number | undefined;
  /** Why the text was not sent, or nothing. */
  say(text: string): string | undefined;
  retryNow(): void;
  /** Tells whether the end of the log can be seen. */
  look(isLooking: boolean): void;
}

/** Keeps the chat connected as long as the page is open. */
export function useChat(data: ConsoleData): ChatView {
  const [state, setState] = useState<ChatState>({ is: "connecting" });
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [unread, setUnread] = useState(0);
  const [unreadFrom, setUnreadFrom] = useState<number | undefined>(undefined);
  const chat = useRef<Chat | undefined>(undefined);
  const looking = useRef(true);
  const nextId = useRef(1);
  const bucket = useRef({ tokens: data.messagesBurst, at: Date.now() });

  useEffect(() => {
    let waiting: Line[] = [];
    let unseen: number[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isSeen = (): boolean => looking.current && !document.hidden;
    const draw = (): void => {
      const [fresh, missed] = [waiting, isSeen() ? [] : unseen];
      [timer, waiting, unseen] = [undefined, [], []];
      setLines(before => [...before, ...fresh].slice(-MAX_LINES));
      if (missed.length === 0) return;
      setUnread(before => {
        if (before === 0) setUnreadFrom(missed[0]);
        return before + missed.length;
      });
    };
    const add = (kind: Line["kind"], parts: Segment[]): void => {
      const line = { id: nextId.current++, at: Date.now(), kind, segments: parts };
      waiting.push(line);
      if (kind === "chat" && !isSeen()) unseen.push(line.id);
      if (waiting.length < MAX_LINES) {
        timer ??= setTimeout(draw, DRAW_EVERY_MS);
        return;
      }
      clearTimeout(timer);
      draw();
    };
    chat.current = createChat({
      heartbeatMs: data.heartbeatMs,
      onState: setState,
      onLine: content => {
        const parts = segments(content);
        if (parts.length > 0) add("chat", parts);
      },
      onException: why => add("note", [{ text: texts.exception[why] }]),
    });
    own.current = text => add("own", [{ text }]);
    return () => {
      clearTimeout(timer);
      chat.current?.close();
    };
  }, [data]);
  const own = useRef<(text: string) => void>(() => undefined);

  function say(text: string): string | undefined {
    const now = Date.now();
    const { current } = bucket;
    const earned = ((now - current.at) / 1000) * data.messagesPerSecond;
    const tokens = Math.min(data.messagesBurst, current.tokens + earned);
    bucket.current = { tokens, at: now };
    if (tokens < 1) return texts.tooFast;
    if (!chat.current?.say(text)) return texts.chatState.closed;
    bucket.current.tokens = tokens - 1;
    own.current(text);
    return undefined;
  }

  const look = useCallback((isLooking: boolean): void => {
    looking.current = isLooking;
    if (isLooking && !document.hidden) setUnread(0);
  }, []);
  return { state, lines, unread, unreadFrom, say, retryNow: () => chat.current?.retryNow(), look };
}
