import type { Store } from "../ports.ts";

const KEY = "web_bridge:world";

/**
 * What tells this world from others: made up once, and kept by the world. `fresh` is taken where it has none.
 * Undefined where the world cannot keep it at the moment.
 */
export function worldId(store: Store, fresh: string): string | undefined {
  try {
    if (store.read(KEY) === undefined) store.write(KEY, fresh);
    const held = store.read(KEY);
    return typeof held === "string" ? held : undefined;
  } catch {
    return undefined;
  }
}
