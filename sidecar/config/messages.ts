/** Every text that a player sees, by message key, with its default and what it is for. */
export const MESSAGES = {
  "api.chat-format-from-web": {
    text: "§7[Web]§r {content}",
    help: "A chat line from the web. {content}: the text, needed; {player}: the linked player's name",
  },
  "api.chat-guest-name": {
    text: "Guest",
    help: "What {player} says when the browser is not linked",
  },
  "api.link-prompt-title": {
    text: "Link your browser?",
    help: "Title of the link form",
  },
  "api.link-prompt-body": {
    text: "A website asks to be linked to you.\nbrowser {browser}\nAccept only if this is your own browser.",
    help: "Text of the link form. {browser}: the first eight characters of the browser session",
  },
  "api.link-accept": { text: "Accept", help: "Button of the link form" },
  "api.link-decline": { text: "Decline", help: "Button of the link form" },
  "api.unlinked": {
    text: "§eYour browser link was removed.",
    help: "Told to a player whose link a browser has ended",
  },
} as const;

export type MessageKey = keyof typeof MESSAGES;
