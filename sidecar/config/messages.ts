import { chat, game, offline } from "../../languages/en_US.json";

export type MessageKey = keyof typeof chat | keyof typeof game | keyof typeof offline;

/** What each text that a player sees is for, in the order of the configuration file. */
const HELP: Record<MessageKey, string> = {
  "api.chat-format-from-web":
    "A chat line from the web. {content}: the text, needed; {player}: the linked player's name",
  "api.chat-guest-name": "What {player} says when the browser is not linked",
  "api.link-prompt-title": "Title of the link form",
  "api.link-prompt-body":
    "Text of the link form. {browser}: the first eight characters of the browser session",
  "api.link-browser": "The paper in the link form that looks like a chest, with {browser}",
  "api.link-accept": "Button of the link form",
  "api.link-decline": "Button of the link form",
  "api.unlinked": "Told to a player whose link a browser has ended",
  "bridge.status-connected": "Answer to /bridge:status. {url}, {sidecar}, {pack}: versions, {wire}",
  "bridge.status-not-connected": "Answer to /bridge:status, with {reason}, {pack} and {wire}",
  "bridge.status-reports": "Second line of /bridge:status, with {seconds}, {facts}, {actions}, {links}",
  "bridge.link-opening": "Answer to /bridge:link",
  "bridge.link-none": "Answer to /bridge:link when nothing waits for the player",
  "bridge.unlink-sent": "Answer to /bridge:unlink",
  "bridge.unlink-none": "Told after /bridge:unlink when no browser was linked",
  "bridge.not-connected": "Answer to /bridge:unlink while the sidecar is away",
  "bridge.players-only": "Answer to the console and to command blocks",
};

export const MESSAGE_KEYS = Object.keys(HELP) as MessageKey[];

const ENGLISH: Record<MessageKey, string> = { ...chat, ...game, ...offline };

/** Every text that a player sees, by message key, with its default and what it is for. */
export const MESSAGES = Object.fromEntries(
  MESSAGE_KEYS.map(key => [key, { text: ENGLISH[key], help: HELP[key] }]),
) as Record<MessageKey, { text: string; help: string }>;
