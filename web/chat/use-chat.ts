import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Chat, type ChatState, createChat } from "../../client/index.ts";
import type { ServiceSettings, WebChatMode } from "../../client/types.ts";
import { texts } from "../platform/texts.ts";
import type { Feed } from "../service/feed.ts";
import { BASE } from "../service/service.ts";
import { beginSession, type Session } from "../service/session.ts";
import type { ChatLog } from "./chat-log.ts";
import { useLines } from "./use-chat-log.ts";
import { useWebChatMode } from "./use-web-chat-mode.ts";

export interface ChatView extends ChatLog {
  /** open once the lines come too: by the feed, or without it where it cannot be had */
  state: ChatState;
  /** whether a line can be sent */
  canSend: boolean;
  mode: WebChatMode;
  /** the session of this browser */
  session: Session;
  /** whether this browser is linked, as soon as that is known; only asked where only linked ones may write */
  isLinked: boolean | undefined;
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
 * Keeps the chat connected as long as the page is open: lines are sent by it, and read from the feed. `first`: the session
 * that the page has begun with; `only`: name of the game server that is spoken to, and else all of them.
 */
export function useChat(
  data: ServiceSettings,
  feed: Feed,
  first: Session,
  only: string | undefined,
): ChatView {
  const [state, setState] = useState<ChatState>({ is: "connecting" });
  const session = useRef(first);
  const { mode, isLinked, ask: askMode } = useWebChatMode(data.webChat, first);
  const { log, hasHistory, note, said, settle, heard, look } = useLines(feed, session, only);
  const chat = useRef<Chat | undefined>(undefined);
  const bucket = useRef({ tokens: data.messagesBurst, at: Date.now() });
  /** texts as they were typed, of the lines that are not known to have been read */
  const open = useRef(new Map<number, string>());

  const lostAt = useRef<number | undefined>(undefined);
  const { renew } = feed;
  const isOff = mode === "off";
  useEffect(() => {
    if (isOff) return;
    chat.current = createChat({
      base: BASE,
      ...(only !== undefined && { server: only }),
      heartbeatMs: data.heartbeatMs,
      async session() {
        const begun = await session.current.begun;
        if (begun.ok) return begun;
        session.current = beginSession();
        return session.current.begun;
      },
      onState: now => {
        setState(now);
        if (now.is === "waiting") {
          lostAt.current ??= Date.now();
          void askMode();
        }
        if (now.is !== "open" || lostAt.current === undefined) return;
        renew(lostAt.current);
        lostAt.current = undefined;
      },
      onLine: heard,
      onException: why => {
        note(() => texts.exception[why]);
        if (why === "not allowed") void askMode();
      },
    });
    return () => chat.current?.close();
  }, [data, heard, note, isOff, only, askMode, renew]);
  // Where one of the two gets through the other does, too.
  useEffect(() => {
    if (feed.is === "open") chat.current?.retryNow();
  }, [feed.is]);

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

  const retryNow = (): void => chat.current?.retryNow();
  const reconnect = useCallback(() => {
    session.current = beginSession();
    chat.current?.reconnect();
  }, []);
  const canSend = state.is === "open";
  const isBehind = feed.is === "connecting" || (feed.is === "open" && !hasHistory);
  const shown: ChatState = canSend && isBehind ? { is: "connecting" } : state;
  return {
    ...{ ...log, state: shown, canSend, mode, session: session.current, isLinked, askMode, hasHistory },
    ...{ say, sayAgain, retryNow, reconnect, look },
  };
}
