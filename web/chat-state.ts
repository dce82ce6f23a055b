import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Chat, type ChatState, createChat } from "../client/index.ts";
import type { ServiceSettings, WebChatMode } from "../client/types.ts";
import type { ChatLog } from "./chat-log.ts";
import type { Feed } from "./feed.ts";
import { BASE } from "./service.ts";
import { useLabel } from "./session.ts";
import { texts } from "./texts.ts";
import { useLines } from "./use-lines.ts";
import { useWebChatMode } from "./use-web-chat-mode.ts";

export interface ChatView extends ChatLog {
  state: ChatState;
  mode: WebChatMode;
  /** whether this browser is known to be linked; only asked where only linked ones may write */
  isLinked: boolean;
  /** Asks anew who may write. */
  askMode(): void;
  /** whether what had happened before the page was opened is there */
  hasHistory: boolean;
  /** Why the text was not sent, or nothing. */
  say(text: string): string | undefined;
  /** Sends a line that went nowhere once more. Why that was not done, or nothing. */
  sayAgain(id: number): string | undefined;
  retryNow(): void;
  /** Connects anew, as the session that this browser has now. */
  reconnect(): void;
  /** Tells whether the end of the log can be seen. */
  look(isLooking: boolean): void;
}

/**
 * Keeps the chat connected as long as the page is open: lines are sent by it, and read from the feed. `first`: what the
 * feed calls this browser, where it has a session.
 */
export function useChat(data: ServiceSettings, feed: Feed, first: string | undefined): ChatView {
  const [state, setState] = useState<ChatState>({ is: "connecting" });
  /** another number connects anew */
  const [connection, setConnection] = useState(0);
  const { mode, isLinked, ask: askMode } = useWebChatMode(data.webChat);
  const [label, findLabel] = useLabel(first);
  const { log, hasHistory, note, said, settle, heard, look } = useLines(feed, label);
  const chat = useRef<Chat | undefined>(undefined);
  const bucket = useRef({ tokens: data.messagesBurst, at: Date.now() });
  /** texts as they were typed, of the lines that are not known to have been read */
  const open = useRef(new Map<number, string>());

  const isOff = mode === "off";
  const isNamed = useRef(first !== undefined);
  useEffect(() => {
    if (isOff) return;
    let hasEnded = false;
    const begin = (): void => {
      if (hasEnded) return;
      chat.current = createChat({
        base: BASE,
        heartbeatMs: data.heartbeatMs,
        onState: now => {
          setState(now);
          if (now.is === "waiting") void askMode();
        },
        onLine: heard,
        onException: why => {
          note(() => texts.exception[why]);
          if (why === "not allowed") void askMode();
        },
      });
    };
    // Whoever connects without a session is nobody in the chat until the next connection.
    if (isNamed.current) begin();
    else void findLabel().then(begin);
    isNamed.current = false;
    return () => {
      hasEnded = true;
      chat.current?.close();
    };
  }, [data, heard, note, isOff, connection, askMode, findLabel]);

  async function send(text: string): Promise<void> {
    const id = said(text);
    open.current.set(id, text);
    const sent = (await chat.current?.send(text)) ?? { is: "unsent" as const };
    // What the game has not got, the others have.
    const isSaid = sent.is === "read" || (sent.is === "refused" && sent.why === "server unavailable");
    if (isSaid) {
      open.current.delete(id);
      settle(id, "sent");
    }
    if (sent.is === "read") return;
    // What may have been read is shown as sent as soon as the feed brings it.
    if (sent.is !== "refused") return settle(id, sent.is === "unconfirmed" ? "lost" : "refused");
    const { why } = sent;
    // Whoever was only too fast may send the same again.
    if (!isSaid) settle(id, why === "rate limited" ? "refused" : "barred");
    note(() => texts.exception[why]);
    if (why === "not allowed") void askMode();
  }

  function say(text: string): string | undefined {
    const now = Date.now();
    const { current } = bucket;
    const earned = ((now - current.at) / 1000) * data.messagesPerSecond;
    const tokens = Math.min(data.messagesBurst, current.tokens + earned);
    bucket.current = { tokens, at: now };
    if (tokens < 1) return texts.tooFast;
    if (chat.current?.state.is !== "open") return texts.chatState.closed;
    bucket.current.tokens = tokens - 1;
    void send(text);
    return undefined;
  }

  function sayAgain(id: number): string | undefined {
    const text = open.current.get(id);
    if (text === undefined) return undefined;
    const why = say(text);
    if (why !== undefined) return why;
    open.current.delete(id);
    settle(id, "dropped");
    return undefined;
  }

  const reconnect = useCallback(() => setConnection(before => before + 1), []);
  const retryNow = (): void => chat.current?.retryNow();
  return { ...log, state, mode, isLinked, askMode, hasHistory, say, sayAgain, retryNow, reconnect, look };
}
