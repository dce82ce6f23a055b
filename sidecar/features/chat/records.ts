import type { Lease, Reach } from "../../kernel/storage/ports.ts";
import type { RecordsWithStreams } from "../../kernel/storage/records.ts";
import { collection, parseJson } from "../../kernel/storage/records.ts";
import type { Stream } from "../../kernel/storage/streams.ts";
import { type WebChatRules, webChatRules } from "./rules/web-chat.ts";

/** Who may write from the web, as operators have said it to any of the processes, under a blank key. */
const WEB_CHAT = collection<WebChatRules>({
  name: "web-chat",
  isSmall: true,
  expires: true,
  damaged: "Could not read the chat rules stored by another sidecar",
  parse: parseJson(webChatRules),
});

/** How long a change is told to processes that have lost their connection, in milliseconds. */
const HELD_MS = 60_000;

/** What is said of it from now on. */
export const WEB_CHAT_CHANGES: Stream<WebChatRules> = {
  name: "web-chat-changes",
  forMs: HELD_MS,
  damaged: "Could not read a chat rule change from another sidecar",
  parse: parseJson(webChatRules),
  format: JSON.stringify,
};

/** Who may write from the web, as operators have said it to any of the processes. */
export interface WebChatStore {
  /** undefined: none has said anything */
  webChat(): Promise<WebChatRules | undefined>;
  /** Changes that; `decide` may be called more than once. When the promise settles, this process has heard it. */
  changeWebChat(decide: (rules: WebChatRules | undefined) => WebChatRules, lease?: Lease): Promise<void>;
  subscribe(listener: (rules: WebChatRules) => void): void;
}

/** The rules in these records, which the processes share where they share those. */
export function createWebChatStore(records: RecordsWithStreams, reach: Reach): WebChatStore {
  const listeners = new Set<(rules: WebChatRules) => void>();
  /** what an operator has said last, as far as it is known here */
  let said: WebChatRules | undefined;

  function hear(rules: WebChatRules): void {
    said = rules;
    for (const listener of listeners) listener(rules);
  }

  async function read(): Promise<WebChatRules | undefined> {
    const stored = await records.get(WEB_CHAT, "");
    said = stored ?? said;
    return stored;
  }

  const change: WebChatStore["changeWebChat"] = (decide, lease) =>
    records.transact(
      transaction => {
        const rules = decide(transaction.get(WEB_CHAT, ""));
        transaction.put(WEB_CHAT, "", rules);
        transaction.append(WEB_CHAT_CHANGES, [rules]);
      },
      { lease },
    );

  /** Tells what has changed while nothing was heard. */
  async function reload(): Promise<void> {
    const before = said;
    const stored = await read();
    if (stored) hear(stored);
    // It is lost there: muted browsers stay muted.
    else if (before) await change(rules => rules ?? before);
  }
  reach.onChange(isAway => {
    if (!isAway) void reload().catch(() => undefined);
  });
  records.tail(WEB_CHAT_CHANGES, {
    begin: () => undefined,
    add(entries) {
      for (const { entry } of entries) hear(entry);
    },
  });

  return {
    webChat: read,
    changeWebChat: change,
    subscribe: listener => void listeners.add(listener),
  };
}
