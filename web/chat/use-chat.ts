import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Chat, type ChatState, createChat, type ServiceSettings } from "../../client/index.ts";
import { texts } from "../platform/texts.ts";
import type { Feed } from "../service/feed.ts";
import { BASE } from "../service/service.ts";
import { beginSession, type Session } from "../service/session.ts";
import type { ChatLog } from "./chat-log.ts";
import { type ChatLogControl, useChatLog } from "./use-chat-log.ts";
import { useWebChatMode, type WebChatModeState } from "./use-web-chat-mode.ts";

export interface ChatControl
  extends ChatLog,
    Pick<ChatLogControl, "hasHistory" | "setLooking">,
    Pick<WebChatModeState, "mode" | "isByCommand" | "isLinked"> {
  /** open once messages arrive too, over the feed, or over the chat while the feed is lost */
  state: ChatState;
  canSend: boolean;
  session: Session;
  /** Reads again who may write. */
  pollMode(): void;
  /** Sends a line. Returns an error message where it could not. */
  send(text: string): string | undefined;
  /** Sends a failed line again, as `send` does. */
  resend(id: number): string | undefined;
  retryNow(): void;
  /** Connects again, as the current session of this browser. */
  reconnect(): void;
}

/**
 * Keeps the chat connected while the page is open: it sends lines, and the feed delivers them. `first`: the session that the
 * page has begun; `onlyServer`: name of the only game server to send to and to show.
 */
export function useChat(
  data: ServiceSettings,
  feed: Feed,
  first: Session,
  onlyServer: string | undefined,
): ChatControl {
  const [state, setState] = useState<ChatState>({ is: "connecting" });
  const session = useRef(first);
  const { mode, isByCommand, isLinked, poll: pollMode } = useWebChatMode(data, first, onlyServer);
  const lines = useChatLog(feed, session, onlyServer);
  const { log, hasHistory, addNote, addOwn, settle, addEarly, setLooking } = lines;
  const chat = useRef<Chat | undefined>(undefined);
  const bucket = useRef({ tokens: data.messagesBurst, at: Date.now() });
  /** texts of unconfirmed lines, as they were typed */
  const unconfirmed = useRef(new Map<number, string>());

  const lostAt = useRef<number | undefined>(undefined);
  const { renew } = feed;
  const isOff = mode === "off";
  useEffect(() => {
    if (isOff) return;
    chat.current = createChat({
      base: BASE,
      ...(onlyServer !== undefined && { server: onlyServer }),
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
          void pollMode();
        }
        if (now.is !== "open" || lostAt.current === undefined) return;
        renew(lostAt.current);
        lostAt.current = undefined;
      },
      onLine: addEarly,
      onException: why => {
        addNote(() => texts.exception[why]);
        if (why === "not allowed") void pollMode();
      },
    });
    return () => chat.current?.close();
  }, [data, addEarly, addNote, isOff, onlyServer, pollMode, renew]);
  // Where one connection succeeds, the other one will too.
  useEffect(() => {
    if (feed.is === "open") chat.current?.retryNow();
  }, [feed.is]);

  async function deliver(text: string): Promise<void> {
    const id = addOwn(text);
    unconfirmed.current.set(id, text);
    const sent = (await chat.current?.send(text)) ?? { is: "unsent" as const };
    // Without the game server, other browsers still get the line.
    const isDelivered = sent.is === "read" || (sent.is === "refused" && sent.why === "server unavailable");
    if (isDelivered) {
      unconfirmed.current.delete(id);
      settle(id, "sent");
    }
    if (sent.is === "read") return;
    // An unconfirmed line is shown as sent once the feed delivers it.
    if (sent.is !== "refused") return settle(id, sent.is === "unconfirmed" ? "unconfirmed" : "failed");
    const { why } = sent;
    if (!isDelivered) settle(id, why === "rate limited" ? "failed" : "rejected");
    addNote(() => texts.exception[why]);
    if (why === "not allowed") void pollMode();
  }

  function send(text: string): string | undefined {
    const now = Date.now();
    const { current } = bucket;
    const earned = ((now - current.at) / 1000) * data.messagesPerSecond;
    const tokens = Math.min(data.messagesBurst, current.tokens + earned);
    bucket.current = { tokens, at: now };
    if (tokens < 1) return texts.tooFast;
    if (chat.current?.state.is !== "open") return texts.chatState.closed;
    bucket.current.tokens = tokens - 1;
    void deliver(text);
    return undefined;
  }

  function resend(id: number): string | undefined {
    const text = unconfirmed.current.get(id);
    if (text === undefined) return undefined;
    const why = send(text);
    if (why !== undefined) return why;
    unconfirmed.current.delete(id);
    settle(id, "removed");
    return undefined;
  }

  const retryNow = (): void => chat.current?.retryNow();
  const reconnect = useCallback(() => {
    session.current = beginSession();
    chat.current?.reconnect();
  }, []);
  const canSend = state.is === "open";
  const isBehind = feed.is === "connecting" || (feed.is === "open" && !hasHistory);
  const visibleState: ChatState = canSend && isBehind ? { is: "connecting" } : state;
  return {
    ...log,
    state: visibleState,
    canSend,
    mode,
    session: session.current,
    isByCommand,
    isLinked,
    pollMode,
    hasHistory,
    send,
    resend,
    retryNow,
    reconnect,
    setLooking,
  };
}
