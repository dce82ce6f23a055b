import { type Infer, oneOf } from "./guard.ts";

/**
 * Who may write into the chat from the web: `everybody`; `linked`: browsers that are linked to a player; `read-only`:
 * nobody; `off`: the web has no chat at all.
 */
export const WEB_CHAT_MODES = ["everybody", "linked", "read-only", "off"] as const;

export const webChatMode = oneOf(...WEB_CHAT_MODES);
export type WebChatMode = Infer<typeof webChatMode>;

/** Stands for the browser session in a chat line without one. */
export const NO_BROWSER = "--------";

/** Length of a browser's name in the game: the first characters of its session, its label, or `NO_BROWSER`. */
export const BROWSER_LABEL_LENGTH = 8;

/** Sixteen letters that labels are made of: a session has none of them, and without vowels they make no words. */
export const LABEL_LETTERS = "ghjkmnpqrstvwxyz";
