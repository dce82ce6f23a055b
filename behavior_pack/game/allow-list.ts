import type { AllowList, Poll } from "../ports.ts";
import { admin } from "./beta-modules.ts";
import { peek, type ReportMissing } from "./features.ts";

/** How long a reading of all names is used to find a name that `contains` misses, in ticks. */
const CACHE_TICKS = 10;

const DONE: Poll<true> = () => true;

/** Returns a getter of the server's allowlist, to be called for each use. Undefined if the game has none. */
export function createAllowList(tick: () => number): () => AllowList | undefined {
  // The list can be long, and many names may be looked up in one tick.
  let read = new Set<string>();
  let readAt = -Infinity;

  return () => {
    const list = peek(peek(admin, "dedicatedServer"), "allowList");
    if (list === undefined) return undefined;
    const names = (): string[] =>
      list.entries.map(entry => entry.name).filter((name): name is string => typeof name === "string");
    const lists = (name: string): boolean => {
      if (tick() - readAt >= CACHE_TICKS) {
        // `peek` would read the whole list a second time.
        read = new Set("entries" in list ? names() : []);
        readAt = tick();
      }
      return read.has(name);
    };
    return {
      names: () => names,
      count: name => () => names().filter(each => each === name).length,
      lists: name => () => lists(name),
      holds: name => () => (peek(list, "contains") !== undefined && list.contains({ name })) || lists(name),
      add(name) {
        list.add({ name });
        return DONE;
      },
      remove(name) {
        readAt = -Infinity;
        list.remove({ name });
        return DONE;
      },
    };
  };
}

/** Reports members that the game lacks; to be called once the world is loaded. */
export function checkAllowList(missing: ReportMissing): void {
  const server = peek(admin, "dedicatedServer");
  const list = peek(server, "allowList");
  if (list === undefined)
    missing(
      server === undefined ? "dedicatedServer" : "dedicatedServer.allowList",
      "the allowlist cannot be read or changed from the website",
    );
  else
    for (const key of ["entries", "add", "contains", "remove"] as const)
      if (peek(list, key) === undefined) missing(`allowList.${key}`, "the allowlist works only in part");
}
