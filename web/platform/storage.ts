/** What this browser has stored under a key; null where it has nothing, or lets no page store anything. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text under a key. Where a browser does not allow that, the choice lasts as long as the page. */
export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The page works without.
  }
}
