import type { AllowList } from "../ports.ts";
import { peek, type ReportMissing } from "./features.ts";
import { admin } from "./modules.ts";

/** How long names that were read are used to look for one that the game does not find itself, in ticks. */
const CACHE_TICKS = 10;

/** The allowlist of the server: to be called each time it is needed, undefined where the game offers none. */
export function createAllowList(tick: () => number): () => AllowList | undefined {
  // A list can be long, and many names may be looked for in one tick.
  let read = new Set<string>();
  let readAt = -Infinity;

  return () => {
    const list = peek(peek(admin, "dedicatedServer"), "allowList");
    if (list === undefined) return undefined;
    const names = (): string[] =>
      list.entries.map(entry => entry.name).filter((name): name is string => typeof name === "string");
    const lists = (name: string): boolean => {
      if (tick() - readAt >= CACHE_TICKS) {
        // `peek` would read all of it once more.
        read = new Set("entries" in list ? names() : []);
        readAt = tick();
      }
      return read.has(name);
    };
    return {
      names,
      lists,
      holds: name => (peek(list, "contains") !== undefined && list.contains({ name })) || lists(name),
      add: name => list.add({ name }),
      remove(name) {
        readAt = -Infinity;
        list.remove({ name });
      },
    };
  };
}

/** Reports members that the game lacks; to be called once the world is there. */
export function checkAllowList(missing: ReportMissing): void {
  const server = peek(admin, "dedicatedServer");
  const list = peek(server, "allowList");
  if (list === undefined)
    missing(
      server === undefined ? "dedicatedServer" : "dedicatedServer.allowList",
      "the allowlist cannot be read or changed from the web",
    );
  else
    for (const key of ["entries", "add", "contains", "remove"] as const)
      if (peek(list, key) === undefined) missing(`allowList.${key}`, "the allowlist works in part only");
}
