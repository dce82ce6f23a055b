/** A few of the texts that every client has, by their keys. */
const OWN_TEXTS: Readonly<Record<string, string>> = {
  "chat.type.text": "<%s> %s",
  "gui.accept": "Accept",
  "gui.decline": "Decline",
  "multiplayer.player.joined": "%s joined the game",
};

/** A plain text of a script as a player reads it: the client puts its own texts in the place of `%key`. */
export const asRead = (text: string): string =>
  text.replace(/%([\w.]+)/g, (whole, key: string) => OWN_TEXTS[key] ?? whole);
