/** Removes the oldest entries of a map until it has at most `max`. */
export function dropOldest<K>(map: Map<K, unknown>, max: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= max) return;
    map.delete(oldest);
  }
}
