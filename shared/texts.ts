import { type Infer, record, text } from "./guard.ts";
import { CHAT_LENGTH, MAX_TEXTS } from "./limits.ts";

/** Message key of a text that the pack shows to a player. `{names}` in the text are filled in by the pack. */
export type GameTextKey =
  | "api.link-prompt-title"
  | "api.link-prompt-body"
  | "api.sign-in-prompt-title"
  | "api.sign-in-prompt-body"
  | "api.link-chest-hint"
  | "api.link-browser"
  | "api.link-accept"
  | "api.link-decline"
  | "api.unlinked"
  | "bridge.status-connected"
  | "bridge.status-not-connected"
  | "bridge.status-reports"
  | "bridge.status-refused"
  | "bridge.status-server"
  | "bridge.link-opening"
  | "bridge.link-none"
  | "bridge.unlink-sent"
  | "bridge.unlink-none"
  | "bridge.block-hint"
  | "bridge.blocked"
  | "bridge.unblocked"
  | "bridge.hidden"
  | "bridge.shown"
  | "bridge.forget-title"
  | "bridge.forget-body"
  | "bridge.forget-accept"
  | "bridge.forget-decline"
  | "bridge.forget-asking"
  | "bridge.forget-failed"
  | "bridge.forgotten"
  | "bridge.webchat-is"
  | "bridge.webchat-set"
  | "bridge.muted"
  | "bridge.unmuted"
  | "bridge.banned"
  | "bridge.banned-reason"
  | "bridge.banned-until"
  | "bridge.ban-done"
  | "bridge.ban-failed"
  | "bridge.unban-done"
  | "bridge.unban-none"
  | "bridge.status-bans"
  | "bridge.usage"
  | "bridge.not-connected"
  | "bridge.players-only";

/** Texts by message key. */
export const gameTexts = record(text(CHAT_LENGTH, 1), MAX_TEXTS);
export type GameTexts = Infer<typeof gameTexts>;
