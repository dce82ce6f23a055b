/** Characters that could end a quoted text on the game's console, or its line. */
const UNSAFE = /["\\\p{Cc}\u2028\u2029]/u;

/** Whether a player's name may be typed on the game's console in quotes. A name with a leading `@` would be a selector. */
export const isTypable = (name: string): boolean =>
  name !== "" && !name.startsWith("@") && !UNSAFE.test(name);
