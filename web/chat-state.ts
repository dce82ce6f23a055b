import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Chat, type ChatState, createChat } from "../client/index.ts";
import type { ServiceSettings, WebChatMode } from "../client/types.ts";
import type { ChatLog } from "./chat-log.ts";
import type { Feed } from "./feed.ts";
import { texts } from "./texts.ts";
import { useLines } from "./use-lines.ts";
import { useWebChatMode } from "./use-web-chat-mode.ts";

export interface ChatView extends ChatLog {
  state: ChatState;
  mode: WebChatMode;
  /** whether what had happened before the page was opened is there */
  hasHistory: boolean;
  /** Why the text was not sent, or nothing. */
  say(text: string): string | undefined;
  retryNow(): void;
  /** Connects anew, as the session that this browser has now. */
  reconnect(): void;
  /** Tells whether the end of the log can be seen. */
  look(isLooking: boolean): void;
}

/** Keeps the chat connected as long as the page is open: lines are sent by it, and read from the feed. */
export function useChat(data: ServiceSettings, feed: Feed): ChatView {
  const [state, setState] = useState<ChatState>({ is: "connecting" });
  /** another number connects anew */
  const [connection, setConnection] = useState(0);
  const [mode, askMode] = useWebChatMode(data.webChat);
  const { log, hasHistory, note, said, refused, heard, look } = useLines(feed);
  const chat = useRef<Chat | undefined>(undefined);
  const bucket = useRef({ tokens: data.messagesBurst, at: Date.now() });

  const isOff = mode === "off";
  useEffect(() => {
    if (isOff) return;
    chat.current = createChat({
      heartbeatMs: data.heartbeatMs,
      onState: now => {
        setState(now);
        if (now.is === "waiting") void askMode();
      },
      onLine: heard,
      onException: why => {
        // Without the game the other browsers have got it, and the feed has it.
        if (why !== "server unavailable") refused();
        note(texts.exception[why]);
        if (why === "not allowed") void askMode();
      },
    });
    return () => chat.current?.close();
  }, [data, heard, refused, note, isOff, connection]);

  function say(text: string): string | undefined {
    const now = Date.now();
    const { current } = bucket;
    const earned = ((now - current.at) / 1000) * data.messagesPerSecond;
    const tokens = Math.min(data.messagesBurst, current.tokens + earned);
    bucket.current = { tokens, at: now };
    if (tokens < 1) return texts.tooFast;
    if (!chat.current?.say(text)) return texts.chatState.closed;
    bucket.current.tokens = tokens - 1;
    said(text);
    return undefined;
  }

  const reconnect = useCallback(() => setConnection(before => before + 1), []);
  return { ...log, state, mode, hasHistory, say, retryNow: () => chat.current?.retryNow(), reconnect, look };
}
