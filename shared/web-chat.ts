import { type Infer, oneOf } from "./guard.ts";

/**
 * Who may write into the chat from the web: `everybody`; `linked`: browsers that are linked to a player; `read-only`:
 * nobody; `off`: the web has no chat at all.
 */
export const WEB_CHAT_MODES = ["everybody", "linked", "read-only", "off"] as const;

export const webChatMode = oneOf(...WEB_CHAT_MODES);
export type WebChatMode = Infer<typeof webChatMode>;

/** What a chat line says in the place of the browser session where there is none. */
export const NO_BROWSER = "--------";

/** A browser as the game names it: the first characters of its session, its label, or `NO_BROWSER`. */
export const BROWSER_LENGTH = 8;

/** Sixteen letters that labels are made of: a session has none of them, and without vowels they make no words. */
export const LABEL_LETTERS = "ghjkmnpqrstvwxyz";
