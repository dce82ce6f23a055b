import { useCallback, useEffect, useReducer, useRef, useState } from "preact/hooks";
import {
  type Chat,
  type ChatState,
  createChat,
  isSurelyFromWeb,
  type Segment,
  segments,
} from "../client/index.ts";
import type { ServiceSettings, WebChatMode } from "../client/types.ts";
import { type ChatLog, chatLogReducer, EMPTY, type Line, MAX_LINES } from "./chat-log.ts";
import { texts } from "./texts.ts";
import { useWebChatMode } from "./use-web-chat-mode.ts";

/** Lines that come together are drawn together, so that a flood of them does not stop the page. */
const DRAW_EVERY_MS = 50;

export interface ChatView extends ChatLog {
  state: ChatState;
  mode: WebChatMode;
  /** Why the text was not sent, or nothing. */
  say(text: string): string | undefined;
  retryNow(): void;
  /** Connects anew, as the session that this browser has now. */
  reconnect(): void;
  /** Tells whether the end of the log can be seen. */
  look(isLooking: boolean): void;
}

/** Keeps the chat connected as long as the page is open. */
export function useChat(data: ServiceSettings): ChatView {
  const [state, setState] = useState<ChatState>({ is: "connecting" });
  /** another number connects anew */
  const [connection, setConnection] = useState(0);
  const [mode, askMode] = useWebChatMode(data.webChat);
  const [log, dispatch] = useReducer(chatLogReducer, EMPTY);
  const chat = useRef<Chat | undefined>(undefined);
  const isLooking = useRef(true);
  const bucket = useRef({ tokens: data.messagesBurst, at: Date.now() });
  const waiting = useRef<{ lines: Line[]; unread: number[]; timer?: ReturnType<typeof setTimeout> }>({
    lines: [],
    unread: [],
  });
  const lastId = useRef(0);
  const isSeen = (): boolean => isLooking.current && !document.hidden;

  function draw(): void {
    const { lines, unread, timer } = waiting.current;
    clearTimeout(timer);
    waiting.current = { lines: [], unread: [] };
    dispatch({ is: "added", lines, unread: isSeen() ? [] : unread });
  }

  const add = useCallback((kind: Line["kind"], parts: Segment[]): void => {
    const { current } = waiting;
    const line = { id: ++lastId.current, at: Date.now(), kind, segments: parts };
    current.lines.push(line);
    if ((kind === "game" || kind === "web") && !isSeen()) current.unread.push(line.id);
    if (current.lines.length >= MAX_LINES) draw();
    else current.timer ??= setTimeout(draw, DRAW_EVERY_MS);
  }, []);

  const isOff = mode === "off";
  useEffect(() => {
    if (isOff) return;
    chat.current = createChat({
      heartbeatMs: data.heartbeatMs,
      onState: now => {
        setState(now);
        if (now.is === "waiting") void askMode();
      },
      onLine: content => {
        const parts = segments(content);
        if (parts.length > 0) add(isSurelyFromWeb(content) ? "web" : "game", parts);
      },
      onException: why => {
        add("note", [{ text: texts.exception[why] }]);
        if (why === "not allowed") void askMode();
      },
    });
    return () => {
      clearTimeout(waiting.current.timer);
      waiting.current = { lines: [], unread: [] };
      chat.current?.close();
    };
  }, [data, add, isOff, connection]);

  function say(text: string): string | undefined {
    const now = Date.now();
    const { current } = bucket;
    const earned = ((now - current.at) / 1000) * data.messagesPerSecond;
    const tokens = Math.min(data.messagesBurst, current.tokens + earned);
    bucket.current = { tokens, at: now };
    if (tokens < 1) return texts.tooFast;
    if (!chat.current?.say(text)) return texts.chatState.closed;
    bucket.current.tokens = tokens - 1;
    add("own", [{ text }]);
    return undefined;
  }

  const look = useCallback((looks: boolean): void => {
    isLooking.current = looks;
    if (looks && !document.hidden) dispatch({ is: "read" });
  }, []);
  const reconnect = useCallback(() => setConnection(before => before + 1), []);
  return { ...log, state, mode, say, retryNow: () => chat.current?.retryNow(), reconnect, look };
}
