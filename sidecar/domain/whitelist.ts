const NAME = /^[a-zA-Z0-9_]{1,16}$/;

/** Whether `POST /whitelist` takes this name. */
export function isWhitelistName(name: string): boolean {
  return NAME.test(name);
}

/** The list as `GET /whitelist` shows it: each name once, by code unit, entries without a name left out. */
export function whitelistNames(names: readonly (string | null)[]): string[] {
  return [...new Set(names)].filter((name): name is string => name !== null && name !== "").sort();
}
