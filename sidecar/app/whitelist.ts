import type { Result } from "../../shared/result.ts";
import { whitelistNames } from "../domain/whitelist.ts";
import { StorageAway } from "../ports.ts";
import type { Ended, Game } from "./game.ts";

export type Whitelist = ReturnType<typeof createWhitelist>;

/** What is wrong is told in words for the log; where the storage is away, all reject with `StorageAway`. */
export function createWhitelist(game: Game) {
  return {
    /** The names on the game's allowlist. */
    async read(): Promise<Result<string[]>> {
      const ended = await game.act({ do: "allowlist-read" });
      return ended.status === "done"
        ? { value: whitelistNames(ended.names ?? []) }
        : { fault: faultOf("allowlist-read", ended) };
    },
    /** Puts a name, checked before, on the game's allowlist. */
    async add(name: string): Promise<Result<"whitelisted">> {
      const ended = await game.act({ do: "allowlist-add", name });
      return ended.status === "done" ? { value: "whitelisted" } : { fault: faultOf("allowlist-add", ended) };
    },
  };
}

/** @throws StorageAway */
function faultOf(action: string, ended: Ended): string {
  if (ended.status === "away") throw new StorageAway(`${action}: the storage cannot be reached`);
  const reason = "reason" in ended && ended.reason ? `: ${ended.reason}` : "";
  return `${action} ${ended.status}${reason}`;
}
