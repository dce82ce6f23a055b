/** Where a browser stores something: for as long as the tab, or until it is removed. */
type Place = "tab" | "browser";

// Where a browser lets no page store anything, reading the property fails.
const storageOf = (place: Place): Storage => (place === "tab" ? sessionStorage : localStorage);

/** The value of a key; null if there is none, or if the browser blocks storage. */
export function readStored(key: string, place: Place = "browser"): string | null {
  try {
    return storageOf(place).getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text under a key. Where a browser does not allow that, the choice lasts as long as the page. */
export function store(key: string, value: string, place: Place = "browser"): void {
  try {
    storageOf(place).setItem(key, value);
  } catch {
    // The page works without.
  }
}

/** Removes the value of a key, in both places. */
export function removeStored(key: string): void {
  for (const place of ["tab", "browser"] as const)
    try {
      storageOf(place).removeItem(key);
    } catch {
      // Nothing could be stored there.
    }
}
