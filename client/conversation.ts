import { type Chat, type ChatOptions, type ChatState, createChat } from "./chat.ts";
import { type Segment, segments } from "./colours.ts";
import type { ConnectionOptions, ConnectionState } from "./connection.ts";
import { createEvents, type Events, type EventsOptions } from "./events.ts";
import { type Client, createClient } from "./http.ts";
import type { Sent } from "./lines.ts";
import { type Ending, systemTimers, trimmed, whole } from "./platform.ts";
import type { Exception, FeedEvent, FeedPlayer } from "./types.ts";

/** A line of a conversation. It is never changed: another one with the same `key` takes its place. */
export interface Said {
  /** the same as long as the line is there; no other line has it */
  key: string;
  /** milliseconds since 1970; of a line that the feed has not brought yet, by the clock of this device */
  at: number;
  from: "game" | "web";
  /** name of the game server that it was said on or to, where there are several and it was not said to all of them */
  server?: string;
  /** whether it was said in this browser, in this page or another */
  isOwn: boolean;
  /** whether nobody knows yet that the service has read it */
  isUnderway: boolean;
  /** who spoke, or to whom the browser is linked; unknown of a line that the feed has not brought yet */
  player?: FeedPlayer;
  /** of the web: the same for all lines of one browser session */
  label?: string | null;
  /** what was said, as plain text in stretches of one colour; of the game with `<name> ` in front */
  segments: Segment[];
}

export interface ConversationOptions extends ConnectionOptions {
  /** what the page asks with otherwise, so that all share one session; one of its own when it is left out */
  client?: Pick<Client, "events" | "initialize" | "label">;
  /** name of a game server: what is said there and to all, and what is said here goes there; all of them when it is left out */
  server?: string;
  /** most lines, from 1 on; 200 when it is left out; the oldest go first */
  keep?: number;
  /**
   * The lines, oldest first: once what was said before is there, if anything, and after each change, once for all that comes at
   * once. Never after `close`.
   */
  onLines(lines: readonly Said[]): void;
  /** whether lines can be said */
  onState?(state: ChatState): void;
  /** whether what is said is heard; the first attempt begins once what was said before has been asked for */
  onFeed?(state: ConnectionState): void;
  /** Something that was said before what comes next is missing. */
  onGap?(): void;
  /** As of `ChatOptions`: a line that was read may still not have reached the game. */
  onException?(why: Exception): void;
  /** whether a page that nobody sees lets go of the feed; it is given what it missed as soon as it is seen */
  restsHidden?: boolean;
  /** makes a socket instead of `WebSocket` */
  connect?: NonNullable<ChatOptions["connect"]>;
  /** called instead of `fetch` */
  fetch?: NonNullable<EventsOptions<"chat">["fetch"]>;
}

export interface Conversation {
  readonly lines: readonly Said[];
  /** of the connection by which lines are said */
  readonly state: ChatState;
  /**
   * Says a line and tells what became of it, as `Chat` does. The line is there at once, behind all others, until the feed brings
   * it to its place; it is taken away where it went nowhere, or where nobody knows.
   */
  send(text: string): Promise<Sent>;
  /** Speaks as the session that there is now, such as after `link`. */
  reconnect(): void;
  /** Waits for no next attempt. */
  retryNow(): void;
  /** Ends it for good. */
  close(): void;
}

type ChatEvent = Extract<FeedEvent, { event: "chat" }> & { id: string };

/** A line that was said here and has not come by the feed yet. */
interface Own {
  text: string;
  line: Said;
}

const KEEP = 200;
/** Most events that one answer has. */
const MOST_EVENTS = 500;
/** Events that are known again when they come a second time, as they may after a gap. */
const MOST_KNOWN = 2_000;

declare const AbortController: new () => Ending;

/** What was said on the web: no marker in it means anything. */
const plain = (text: string): Segment[] => [
  { text: segments(text).reduce((all, one) => all + one.text, "") },
];

/**
 * What is said in the game and on the web, as one row of lines without doubles: the feed has them all, in order and with who
 * spoke, also those of before; what is said here goes over the socket of the chat, as the session of this browser.
 * @throws as `createChat` does
 */
export function createConversation(options: ConversationOptions): Conversation {
  const { client = createClient(options), onLines, onFeed, onGap, server, timers = systemTimers } = options;
  const keep = Math.max(1, options.keep ?? KEEP);
  // Said now, where whoever calls hears of it.
  whole(`${trimmed(options.base ?? "")}/events`);
  const ending = new AbortController();
  const { signal } = ending;
  const known = new Set<string>();
  let heard: Said[] = [];
  let own: Own[] = [];
  /** what the feed calls this browser */
  let label: string | undefined;
  let count = 0;
  let isDue = false;
  let events: Events | undefined;

  const rowOf = (): Said[] => [...heard, ...own.map(({ line }) => line)].slice(-keep);

  function changed(): void {
    if (isDue) return;
    isDue = true;
    void Promise.resolve().then(() => {
      isDue = false;
      if (!signal.aborted) onLines(rowOf());
    });
  }

  const isMine = (line: Pick<Said, "label">): boolean => label !== undefined && line.label === label;

  function take({ id, at, from, content, event: _, ...who }: ChatEvent): void {
    if (known.has(id)) return;
    known.add(id);
    for (const oldest of known) {
      if (known.size <= MOST_KNOWN) break;
      known.delete(oldest);
    }
    // Without a label it can only be told by what it says.
    const mayBeEarly = from === "web" && (label === undefined || isMine(who));
    const i = mayBeEarly ? own.findIndex(({ text }) => text === content) : -1;
    const [early] = i < 0 ? [] : own.splice(i, 1);
    heard.push({
      key: early?.line.key ?? id,
      at,
      from,
      isOwn: early !== undefined || isMine(who),
      isUnderway: false,
      ...who,
      segments: from === "game" ? segments(content) : plain(content),
    });
    heard = heard.slice(-keep);
    changed();
  }

  const chat: Chat = createChat({
    ...options,
    onLine: () => undefined,
    async session(ask) {
      const begun = await client.initialize(ask);
      const named = begun.ok && (await client.label(ask));
      label = named !== false && named.ok ? named.value.label : undefined;
      if (heard.some(isMine)) {
        heard = heard.map(line => (isMine(line) ? { ...line, isOwn: true } : line));
        changed();
      }
      return begun;
    },
  });

  async function follow(): Promise<void> {
    const limit = Math.min(keep, MOST_EVENTS);
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
    changed();
    events = createEvents({
      ...options,
      types: ["chat"],
      since,
      onEvent: take,
      onGap() {
        // Lines of before it may never come.
        own = own.filter(({ line }) => line.isUnderway);
        changed();
        onGap?.();
      },
      onState: state => onFeed?.(state),
    });
  }
  void follow();

  async function send(text: string): Promise<Sent> {
    if (chat.state.is !== "open") return { is: "unsent" };
    const line: Said = {
      key: `own ${++count}`,
      at: timers.now(),
      from: "web",
      isOwn: true,
      isUnderway: true,
      segments: plain(text),
    };
    const one = { text, line };
    own = [...own, one].slice(-keep);
    changed();
    const sent = await chat.send(text);
    const isHeard = sent.is === "read" || (sent.is === "refused" && sent.why === "server unavailable");
    if (isHeard) one.line = { ...line, isUnderway: false };
    else own = own.filter(other => other !== one);
    changed();
    return sent;
  }

  return {
    get lines() {
      return rowOf();
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
      ending.abort();
      events?.close();
      chat.close();
    },
  };
}
