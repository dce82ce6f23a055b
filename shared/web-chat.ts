import { type Infer, oneOf } from "./guard.ts";

/**
 * Who may chat from the website: `everybody`; `linked`: browsers that are linked to a player; `read-only`: nobody; `off`: the website
 * has no chat.
 */
export const WEB_CHAT_MODES = ["everybody", "linked", "read-only", "off"] as const;

export const webChatMode = oneOf(...WEB_CHAT_MODES);
export type WebChatMode = Infer<typeof webChatMode>;

/** Shown in chat instead of a browser label for a message without a session. */
export const NO_BROWSER = "--------";

/** Length of a browser's label in the game: the first characters of its session, its label, or `NO_BROWSER`. */
export const BROWSER_LABEL_LENGTH = 8;

/** The sixteen letters of labels: none occurs in a session id, and without vowels they form no words. */
export const LABEL_LETTERS = "ghjkmnpqrstvwxyz";

const BROWSER = new RegExp(`^(?:[0-9a-f]{8}|[${LABEL_LETTERS}]{8}|-{8})$`);

/** Whether a text, in lower case, is a browser's name in the game. */
export const isBrowserLabel = (text: string): boolean => BROWSER.test(text);
