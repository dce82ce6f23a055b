/**
 * A text that the player reads as it is. A client may put its own words in the place of `%key`, so the colour or style
 * in effect is said again behind the sign: that draws nothing, changes nothing, and is no beginning of a key.
 */
export function literal(text: string): string {
  if (!text.includes("%")) return text;
  let code = "§r";
  return text.replace(/§[\da-w]|%(?=[a-z\u00c0-\uffff])/gi, found => {
    if (found === "%") return found + code;
    code = found;
    return found;
  });
}
