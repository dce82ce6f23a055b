import type { AllowList } from "../ports.ts";
import { type Missing, member } from "./features.ts";
import { admin } from "./modules.ts";

/** How long names that were read may serve to look for one that the game does not find itself, in ticks. */
const LOOK_TICKS = 10;

/** The allowlist of the server; asked each time it is needed, and undefined where the game offers none. */
export function createAllowList(tick: () => number): () => AllowList | undefined {
  // A list can be long, and many names may be looked for in one tick.
  let read = new Set<string>();
  let readAt = -Infinity;

  return () => {
    const list = member(member(admin, "dedicatedServer"), "allowList");
    if (list === undefined) return undefined;
    const names = (): string[] =>
      list.entries.map(entry => entry.name).filter((name): name is string => typeof name === "string");
    const lists = (name: string): boolean => {
      if (tick() - readAt >= LOOK_TICKS) {
        // Not by `member`, which would read all of it once more.
        read = new Set("entries" in list ? names() : []);
        readAt = tick();
      }
      return read.has(name);
    };
    return {
      names,
      lists,
      holds: name => (member(list, "contains") !== undefined && list.contains({ name })) || lists(name),
      add: name => list.add({ name }),
      remove(name) {
        readAt = -Infinity;
        list.remove({ name });
      },
    };
  };
}

/** Names what the game lacks; to be called once the world is there. */
export function checkAllowList(missing: Missing): void {
  const consequence = "the allowlist cannot be read or changed from the web";
  const server = member(admin, "dedicatedServer");
  const list = member(server, "allowList");
  if (server === undefined) missing("dedicatedServer", consequence);
  else if (list === undefined) missing("dedicatedServer.allowList", consequence);
  else
    for (const key of ["entries", "add", "contains", "remove"] as const)
      if (member(list, key) === undefined) missing(`allowList.${key}`, "the allowlist works in part only");
}
