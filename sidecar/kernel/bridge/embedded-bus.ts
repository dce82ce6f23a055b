import type { WebChatRules } from "../../features/chat/rules/web-chat.ts";
import type { Bus, BusEvent, WebChatStore } from "../storage/ports/game.ts";
import type { Snapshot } from "./snapshot.ts";

/** The bus of a bridge with one sidecar process: calls its listeners. */
export function createEmbeddedBus(): Bus & WebChatStore {
  const listeners = new Set<(event: BusEvent) => void>();
  let last: Snapshot | undefined;
  let rules: WebChatRules | undefined;

  function tell(event: BusEvent): void {
    for (const listener of listeners) listener(event);
  }

  return {
    async publish(event) {
      if (event.kind === "snapshot") last = event.snapshot;
      tell(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lastSnapshot: async () => last,
    webChat: async () => rules,
    async changeWebChat(decide) {
      rules = decide(rules);
      tell({ kind: "web-chat", rules });
    },
    close: async () => listeners.clear(),
  };
}
