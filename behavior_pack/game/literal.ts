/**
 * A text that the player sees unchanged. A client may translate `%key`, so the formatting code in effect is repeated after the sign:
 * it is invisible, changes nothing, and no key begins with it.
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
