import type { Lease, Reach } from "../../kernel/storage/ports.ts";
import type { RecordsWithStreams } from "../../kernel/storage/records.ts";
import { collection, parseJson } from "../../kernel/storage/records.ts";
import type { Stream } from "../../kernel/storage/streams.ts";
import { type WebChatRules, webChatRules } from "./rules/web-chat.ts";

/** The chat rules set by operators, through any of the processes, under a blank key. */
const WEB_CHAT = collection<WebChatRules>({
  name: "web-chat",
  isSmall: true,
  expires: true,
  damaged: "Could not read the chat rules stored by another sidecar",
  parse: parseJson(webChatRules),
});

/** How long a change is stored for processes that have lost their connection, in milliseconds. */
const RETENTION_MS = 60_000;

/** Changes of the rules. */
export const WEB_CHAT_CHANGES: Stream<WebChatRules> = {
  name: "web-chat-changes",
  forMs: RETENTION_MS,
  damaged: "Could not read a chat rule change from another sidecar",
  parse: parseJson(webChatRules),
  format: JSON.stringify,
};

/** The chat rules set by operators, through any of the processes. */
export interface WebChatStore {
  /** undefined: no operator has set any */
  webChat(): Promise<WebChatRules | undefined>;
  /** Changes the rules; `decide` may be called more than once. Once the promise settles, this process uses the new rules. */
  changeWebChat(decide: (rules: WebChatRules | undefined) => WebChatRules, lease?: Lease): Promise<void>;
  subscribe(listener: (rules: WebChatRules) => void): void;
}

/** Stores the rules in the given records, which may be shared by several processes. */
export function createWebChatStore(records: RecordsWithStreams, reach: Reach): WebChatStore {
  const listeners = new Set<(rules: WebChatRules) => void>();
  /** the last rules known here */
  let current: WebChatRules | undefined;

  function receive(rules: WebChatRules): void {
    current = rules;
    for (const listener of listeners) listener(rules);
  }

  async function read(): Promise<WebChatRules | undefined> {
    const stored = await records.get(WEB_CHAT, "");
    current = stored ?? current;
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

  /** Publishes a change that was missed while disconnected. */
  async function reload(): Promise<void> {
    const before = current;
    const stored = await read();
    if (stored) receive(stored);
    // The storage has lost them: muted browsers stay muted.
    else if (before) await change(rules => rules ?? before);
  }
  reach.onChange(isAway => {
    if (!isAway) void reload().catch(() => undefined);
  });
  records.tail(WEB_CHAT_CHANGES, {
    begin: () => undefined,
    add(entries) {
      for (const { entry } of entries) receive(entry);
    },
  });

  return {
    webChat: read,
    changeWebChat: change,
    subscribe: listener => void listeners.add(listener),
  };
}
