import type { Result } from "../../shared/result.ts";
import { whitelistNames } from "../domain/whitelist.ts";
import type { Ended, Game } from "./game.ts";

/** What is wrong is told in words for the log. */
export interface Whitelist {
  /** The names on the game's allowlist. */
  read(): Promise<Result<string[]>>;
  /** Puts a name, checked before, on the game's allowlist. */
  add(name: string): Promise<Result<"whitelisted">>;
}

export function createWhitelist(game: Game): Whitelist {
  return {
    async read() {
      const ended = await game.act({ do: "allowlist-read" });
      return ended.status === "done"
        ? { value: whitelistNames(ended.names ?? []) }
        : { fault: faultOf("allowlist-read", ended) };
    },
    async add(name) {
      const ended = await game.act({ do: "allowlist-add", name });
      return ended.status === "done" ? { value: "whitelisted" } : { fault: faultOf("allowlist-add", ended) };
    },
  };
}

function faultOf(action: string, ended: Ended): string {
  const reason = "reason" in ended && ended.reason ? `: ${ended.reason}` : "";
  return `${action} ${ended.status}${reason}`;
}
