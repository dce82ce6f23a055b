/** Characters that could end a quoted text on the game's console, or its line: control characters are outside of the second list. */
const UNSAFE = /["\\]|[^ -~\u00a0-\u2027\u202a-\uffff]/;

/** Whether a player's name may be typed on the game's console in quotes. A name with a leading `@` would be a selector. */
export const isTypable = (name: string): boolean =>
  name !== "" && !name.startsWith("@") && !UNSAFE.test(name);
