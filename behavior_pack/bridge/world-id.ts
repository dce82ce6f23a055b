import type { Store } from "../ports.ts";

const KEY = "web_bridge:world";

/** Id of this world, stored in it: `fresh` the first time, then always the same. Undefined while the world cannot store it. */
export function worldId(store: Store, fresh: string): string | undefined {
  try {
    if (store.read(KEY) === undefined) store.write(KEY, fresh);
    const stored = store.read(KEY);
    return typeof stored === "string" ? stored : undefined;
  } catch {
    return undefined;
  }
}
