import type { Store } from "../ports.ts";

const KEY = "web_bridge:world";

/**
 * Id of this world: made up once, and kept by the world. A world without one takes `fresh`. Undefined while the world cannot
 * keep it.
 */
export function worldId(store: Store, fresh: string): string | undefined {
  try {
    if (store.read(KEY) === undefined) store.write(KEY, fresh);
    const stored = store.read(KEY);
    return typeof stored === "string" ? stored : undefined;
  } catch {
    return undefined;
  }
}
