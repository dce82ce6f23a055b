import { whitelistNames } from "../domain/whitelist.ts";
import type { Ended, Game } from "./game.ts";

export type Listed = { answer: "names"; names: string[] } | Unexpected;
export type Added = { answer: "whitelisted" } | Unexpected;
/** `why` is for the log */
type Unexpected = { answer: "unexpected"; why: string };

export interface Whitelist {
  /** The names on the game's allowlist. */
  read(): Promise<Listed>;
  /** Puts a name, checked before, on the game's allowlist. */
  add(name: string): Promise<Added>;
}

export function createWhitelist(game: Game): Whitelist {
  return {
    async read() {
      const ended = await game.act({ do: "allowlist-read" });
      return ended.status === "done"
        ? { answer: "names", names: whitelistNames(ended.names ?? []) }
        : unexpected("allowlist-read", ended);
    },
    async add(name) {
      const ended = await game.act({ do: "allowlist-add", name });
      return ended.status === "done" ? { answer: "whitelisted" } : unexpected("allowlist-add", ended);
    },
  };
}

function unexpected(action: string, ended: Ended): Unexpected {
  const reason = "reason" in ended && ended.reason ? `: ${ended.reason}` : "";
  return { answer: "unexpected", why: `${action} ${ended.status}${reason}` };
}
