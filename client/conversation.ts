import { type Chat, type ChatOptions, type ChatState, createChat } from "./chat.ts";
import { type Segment, segments } from "./colours.ts";
import type { ConnectionOptions, ConnectionState } from "./connection.ts";
import { createEvents, type Events, type EventsOptions } from "./events.ts";
import { type Client, createClient } from "./http.ts";
import type { SendResult } from "./lines.ts";
import { type Aborter, absoluteUrl, systemTimers, trimmed } from "./platform.ts";
import type { Exception, FeedEvent, FeedPlayer } from "./types.ts";

/** A message of a conversation. It is immutable: a changed message is another object with the same `key`. */
export interface ConversationLine {
  /** unique, and stable while the message exists */
  key: string;
  /** milliseconds since 1970; by this device's clock until the feed has delivered the message */
  at: number;
  from: "game" | "web";
  /** name of the game server, if there are several and the message is not for all */
  server?: string;
  /** whether it was sent from this browser, by any page */
  isOwn: boolean;
  /** whether the service has not confirmed it yet */
  isUnderway: boolean;
  /** the author, or the player that the browser is linked to; omitted until the feed has delivered the message */
  player?: FeedPlayer;
  /** of the website: one for each browser session */
  label?: string | null;
  /** the text by colour; of the game with `<name> ` in front */
  segments: Segment[];
}

export interface ConversationOptions extends ConnectionOptions {
  /** the client of the page, so that both share one session; a new one when it is left out */
  client?: Pick<Client, "events" | "initialize" | "label">;
  /** name of the only game server to receive from and send to; all of them when it is left out */
  server?: string;
  /** how many of the newest messages to keep, at least 1; 200 by default */
  keep?: number;
  /**
   * Called with all messages, oldest first: once earlier ones have loaded, and after changes, once for those that arrive together.
   * Never after `close`.
   */
  onLines(lines: readonly ConversationLine[]): void;
  /** Called with the state of the connection that sends messages. */
  onState?(state: ChatState): void;
  /** Called with the state of the connection that delivers messages; it begins after earlier ones were requested. */
  onFeed?(state: ConnectionState): void;
  /** Called when messages before the next one are missing. */
  onGap?(): void;
  /** As in `ChatOptions`: a message that was read may still not have reached the game. */
  onException?(why: Exception): void;
  /** whether a hidden page disconnects from the feed; it gets the missed messages when it is visible again */
  restsHidden?: boolean;
  /** called instead of `new WebSocket` */
  connect?: NonNullable<ChatOptions["connect"]>;
  /** called instead of `fetch` */
  fetch?: NonNullable<EventsOptions<"chat">["fetch"]>;
}

export interface Conversation {
  readonly lines: readonly ConversationLine[];
  /** of the connection that sends messages */
  readonly state: ChatState;
  /**
   * Sends a message, as `Chat` does. It is listed immediately, at the end, until the feed sets its position; it is removed if it
   * was rejected, unsent or unconfirmed.
   */
  send(text: string): Promise<SendResult>;
  /** Reconnects as the current session, such as after `link`. */
  reconnect(): void;
  /** Skips the wait for the next attempt. */
  retryNow(): void;
  /** Closes it permanently. */
  close(): void;
}

type ChatEvent = Extract<FeedEvent, { event: "chat" }> & { id: string };

/** A message that was sent here and that the feed has not delivered yet. */
interface OwnLine {
  text: string;
  line: ConversationLine;
}

const KEEP = 200;
/** Most events of one answer. */
const MAX_EVENTS = 500;
/** How many event ids are remembered to drop repeated events, which come after a gap. */
const MAX_KNOWN_IDS = 2_000;

declare const AbortController: new () => Aborter;

/** A text of the website without its colour markers. */
const plain = (text: string): Segment[] => [
  { text: segments(text).reduce((all, one) => all + one.text, "") },
];

/**
 * The chat of game and website as one list of messages without duplicates. The feed delivers them, also earlier ones, in order and
 * with authors; the chat socket sends messages, as the session of this browser.
 * @throws as `createChat` does
 */
export function createConversation(options: ConversationOptions): Conversation {
  const { client = createClient(options), onLines, onFeed, onGap, server, timers = systemTimers } = options;
  const keep = Math.max(1, options.keep ?? KEEP);
  // An invalid address throws here, where the caller can catch it.
  absoluteUrl(`${trimmed(options.base ?? "")}/events`);
  const aborter = new AbortController();
  const { signal } = aborter;
  const knownIds = new Set<string>();
  let delivered: ConversationLine[] = [];
  let own: OwnLine[] = [];
  /** of this browser in the feed */
  let label: string | undefined;
  let count = 0;
  let isScheduled = false;
  let events: Events | undefined;

  const allLines = (): ConversationLine[] => [...delivered, ...own.map(({ line }) => line)].slice(-keep);

  function notify(): void {
    if (isScheduled) return;
    isScheduled = true;
    void Promise.resolve().then(() => {
      isScheduled = false;
      if (!signal.aborted) onLines(allLines());
    });
  }

  const isOwn = (line: Pick<ConversationLine, "label">): boolean =>
    label !== undefined && line.label === label;

  function take({ id, at, from, content, event: _, ...who }: ChatEvent): void {
    if (knownIds.has(id)) return;
    knownIds.add(id);
    for (const oldest of knownIds) {
      if (knownIds.size <= MAX_KNOWN_IDS) break;
      knownIds.delete(oldest);
    }
    // Without a label, own messages are recognised by their text.
    const mayBeEarly = from === "web" && (label === undefined || isOwn(who));
    const i = mayBeEarly ? own.findIndex(({ text }) => text === content) : -1;
    const [early] = i < 0 ? [] : own.splice(i, 1);
    delivered.push({
      key: early?.line.key ?? id,
      at,
      from,
      isOwn: early !== undefined || isOwn(who),
      isUnderway: false,
      ...who,
      segments: from === "game" ? segments(content) : plain(content),
    });
    delivered = delivered.slice(-keep);
    notify();
  }

  const chat: Chat = createChat({
    ...options,
    onLine: () => undefined,
    async session(call) {
      const begun = await client.initialize(call);
      const labelled = begun.ok ? await client.label(call) : begun;
      label = labelled.ok ? labelled.value.label : undefined;
      if (delivered.some(isOwn)) {
        delivered = delivered.map(line => (isOwn(line) ? { ...line, isOwn: true } : line));
        notify();
      }
      return begun;
    },
  });

  async function follow(): Promise<void> {
    const limit = Math.min(keep, MAX_EVENTS);
    const before = await client.events(
      { types: ["chat"], limit, ...(server !== undefined && { server }) },
      { signal },
    );
    if (signal.aborted) return;
    let since = "0";
    for (const event of before.ok ? before.value : [])
      if (event.event === "chat") {
        take(event);
        since = event.id;
      }
    notify();
    events = createEvents({
      ...options,
      types: ["chat"],
      since,
      onEvent: take,
      onGap() {
        // The feed may never deliver confirmed messages from before the gap.
        own = own.filter(({ line }) => line.isUnderway);
        notify();
        onGap?.();
      },
      onState: state => onFeed?.(state),
    });
  }
  void follow();

  async function send(text: string): Promise<SendResult> {
    if (chat.state.is !== "open") return { is: "unsent" };
    const line: ConversationLine = {
      key: `own ${++count}`,
      at: timers.now(),
      from: "web",
      isOwn: true,
      isUnderway: true,
      segments: plain(text),
    };
    const one = { text, line };
    own = [...own, one].slice(-keep);
    notify();
    const sent = await chat.send(text);
    const isDelivered = sent.is === "read" || (sent.is === "refused" && sent.why === "server unavailable");
    if (isDelivered) one.line = { ...line, isUnderway: false };
    else own = own.filter(other => other !== one);
    notify();
    return sent;
  }

  return {
    get lines() {
      return allLines();
    },
    get state() {
      return chat.state;
    },
    send,
    reconnect: chat.reconnect,
    retryNow() {
      chat.retryNow();
      events?.retryNow();
    },
    close() {
      aborter.abort();
      events?.close();
      chat.close();
    },
  };
}
