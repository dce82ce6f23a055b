/** Parameter by which pages keep caches away. It means nothing. */
const CACHE_BUSTER = "_";

/**
 * The query of an address; undefined where it has a parameter that is not known, or one twice that is no list.
 * @param lists names that may come several times, also as `name[]` and `name[0]`, which axios and PHP make of a list
 */
export function readParameters(
  url: string,
  names: readonly string[],
  lists: readonly string[] = [],
): URLSearchParams | undefined {
  const written = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");
  const query = new URLSearchParams();
  for (const [name, value] of written) {
    const list = name.replace(/\[\d*\]$/, "");
    query.append(lists.includes(list) ? list : name, value);
  }
  query.delete(CACHE_BUSTER);
  const all = [...query.keys()];
  const isFine = all.every(
    name => lists.includes(name) || (names.includes(name) && query.getAll(name).length === 1),
  );
  return isFine ? query : undefined;
}
