import * as admin from "@minecraft/server-admin";
import type { AllowList } from "../ports.ts";
import { type Missing, member } from "./features.ts";

/** The allowlist of the server; undefined where the game offers none. */
export function openAllowList(): AllowList | undefined {
  const list = member(member(admin, "dedicatedServer"), "allowList");
  if (list === undefined) return undefined;
  const names = (): string[] =>
    list.entries.map(entry => entry.name).filter((name): name is string => typeof name === "string");
  return {
    names,
    holds(name) {
      if (member(list, "contains") !== undefined && list.contains({ name })) return true;
      return member(list, "entries") !== undefined && names().includes(name);
    },
    add: name => list.add({ name }),
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
    for (const key of ["entries", "add", "contains"] as const)
      if (member(list, key) === undefined) missing(`allowList.${key}`, "the allowlist works in part only");
}
