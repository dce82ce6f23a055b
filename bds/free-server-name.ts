/** Longest part of a world's name that is used, in characters. */
const MAX_LENGTH = 24;

/** A name for a game server, from that of its world, that no other game server of its sidecar has. */
export function freeName(levelName: string, taken: ReadonlySet<string>): string {
  const base = levelName
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, MAX_LENGTH)
    .replace(/-$/, "");
  const begin = base === "" ? "server" : base;
  const names = [begin, ...Array.from({ length: taken.size }, (_, i) => `${begin}-${i + 2}`)];
  return names.find(name => !taken.has(name)) ?? begin;
}
