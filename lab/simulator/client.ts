/** Some of the client's own texts, by key. */
const OWN_TEXTS: Readonly<Record<string, string>> = {
  "chat.type.text": "<%s> %s",
  "gui.accept": "Accept",
  "gui.decline": "Decline",
  "multiplayer.player.joined": "%s joined the game",
};

/** A plain text as the client shows it, with `%key` replaced by the client's own text. */
export const asRead = (text: string): string =>
  text.replace(/%([\w.]+)/g, (whole, key: string) => OWN_TEXTS[key] ?? whole);
