/**
 * Names that can be put on the whitelist, as patterns of `RegExp` with `u`. `gamertag`: letters, marks and digits of any script
 * with single spaces between, 1 to 16 code points, and perhaps the number that distinguishes two players of one name.
 */
export const NAME_PATTERNS = {
  java: "^[a-zA-Z0-9_]{1,16}$",
  gamertag: "^(?! )(?:[\\p{L}\\p{M}\\p{Nd}]| (?=[\\p{L}\\p{M}\\p{Nd}])){1,16}(?:#[0-9]{1,4})?$",
};
export type WhitelistNames = keyof typeof NAME_PATTERNS;

const NAMES = {
  java: new RegExp(NAME_PATTERNS.java, "u"),
  gamertag: new RegExp(NAME_PATTERNS.gamertag, "u"),
};

/** Whether `POST /whitelist` takes this name. */
export function isWhitelistName(name: string, names: WhitelistNames): boolean {
  return NAMES[names].test(name);
}

/** The public list: each name once, sorted by code units, without blank ones. */
export function whitelistNames(names: readonly (string | null)[]): string[] {
  return [...new Set(names)].filter((name): name is string => name !== null && name !== "").sort();
}
