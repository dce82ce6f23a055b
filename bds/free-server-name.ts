/** Longest beginning of a name that is made of a world's. */
const LONGEST = 24;

/**
 * A name for a game server that no other one of its sidecar has, made of that of its world.
 * @param taken names of the others
 */
export function freeName(levelName: string, taken: ReadonlySet<string>): string {
  const own = levelName
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, LONGEST)
    .replace(/-$/, "");
  const begin = own === "" ? "server" : own;
  const names = [begin, ...Array.from({ length: taken.size }, (_, i) => `${begin}-${i + 2}`)];
  return names.find(name => !taken.has(name)) ?? begin;
}
