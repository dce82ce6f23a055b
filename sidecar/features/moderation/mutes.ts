import type { Mute } from "../../../shared/public/moderation.ts";
import type { WebChat } from "../chat/web-chat.ts";
import type { AuditChange, Author } from "./audit.ts";

/** Mutes browsers in the web chat of all game servers. The outcome is in the audit once the promise settles. */
export interface Mutes {
  /** The current ones, sorted by label. */
  list(): Mute[];
  /** @param forMs how long, in milliseconds */
  mute(label: string, forMs: number, author: Author): Promise<{ outcome: "muted" }>;
  unmute(label: string, author: Author): Promise<{ outcome: "unmuted" | "not_muted" }>;
}

export const createMutes = ({
  webChat,
  auditChange,
}: {
  webChat: Pick<WebChat, "mute" | "mutes" | "unmute">;
  auditChange: AuditChange;
}): Mutes => ({
  list: webChat.mutes,
  async mute(name, forMs, author) {
    await webChat.mute(name, forMs);
    return auditChange({ action: "chat.mute", name }, author, { outcome: "muted" });
  },
  async unmute(name, author) {
    const outcome = (await webChat.unmute(name)) ? "unmuted" : "not_muted";
    return auditChange({ action: "chat.unmute", name }, author, { outcome });
  },
});
