import { NAME_LENGTH } from "../../shared/limits.ts";
import type { Result } from "../../shared/result.ts";
import type { Mark } from "../domain/feed.ts";
import { isWhitelistName, type WhitelistNames, whitelistNames } from "../domain/whitelist.ts";
import { type Audit, type AuditedChange, type Clock, StorageAway } from "../ports.ts";
import { ACTION_TIMEOUT_MS, type Ended, type Game } from "./game.ts";
import { createSharedReads } from "./shared-reads.ts";

/** Who asks for a change: the name of the key, and the address that it came from. */
interface Author {
  key: string;
  address: string;
}

/** Why a change was not made; `unexpected_result` says it in words for the log. */
export type Unchanged =
  | { outcome: "not_whitelisted" | "invalid_name" | "server_unavailable" }
  | { outcome: "unexpected_result"; why: string };

/** The game's allowlist. Every change that was handed to the game is in the audit once its promise settles. */
export function createWhitelist(deps: {
  game: Game;
  audit: Audit;
  clock: Pick<Clock, "now" | "after">;
  /** what is told of the game server */
  mark: Mark;
  /** which names can be added */
  names: WhitelistNames;
}) {
  const { game, audit, clock, mark, names } = deps;

  async function noted<T extends { outcome: string }>(
    action: AuditedChange["action"],
    name: string,
    { key, address }: Author,
    changed: T,
  ): Promise<T> {
    await audit.write({ at: clock.now(), key, address, action, ...mark, name, outcome: changed.outcome });
    return changed;
  }

  const readShared = createSharedReads(clock, async (): Promise<Result<string[]>> => {
    const ended = await game.act({ do: "allowlist-read" });
    if (ended.status === "done") return { value: whitelistNames(ended.names ?? []) };
    if (ended.status === "away") throw new StorageAway("allowlist-read: the storage cannot be reached");
    return { fault: faultOf("allowlist-read", ended) };
  });

  return {
    /**
     * The names on the game's allowlist, read after this call, or what is wrong in words for the log; at most
     * `ACTION_TIMEOUT_MS` later.
     * @throws StorageAway
     */
    read(): Promise<Result<string[]>> {
      return new Promise((resolve, reject) => {
        const cancel = clock.after(ACTION_TIMEOUT_MS, () => resolve({ fault: "allowlist-read timeout" }));
        readShared().then(resolve, reject).finally(cancel);
      });
    },
    /** Whether a name can be added at all. */
    takes: (name: string): boolean => isWhitelistName(name, names),
    /** Whether a name could be on the list at all. */
    mayList: (name: string): boolean => name !== "" && name.length <= NAME_LENGTH,
    /** Puts a name that can be added on the game's allowlist. */
    async add(name: string, author: Author): Promise<{ outcome: "whitelisted" } | Unchanged> {
      const ended = await game.act({ do: "allowlist-add", name });
      const isDone = ended.status === "done";
      const changed = isDone ? ({ outcome: "whitelisted" } as const) : failed("allowlist-add", ended);
      return noted("whitelist.add", name, author, changed);
    },
    /** Takes every entry of exactly this name off the game's allowlist. */
    async remove(name: string, author: Author): Promise<{ outcome: "removed" } | Unchanged> {
      const ended = await game.act({ do: "allowlist-remove", name });
      const by = (changed: { outcome: "removed" } | Unchanged) =>
        noted("whitelist.remove", name, author, changed);
      if (ended.status === "done") return by({ outcome: "removed" });
      if (ended.status !== "absent") return by(failed("allowlist-remove", ended));
      return by({ outcome: isWhitelistName(name, names) ? "not_whitelisted" : "invalid_name" });
    },
  };
}

const failed = (action: string, ended: Ended): Unchanged =>
  ended.status === "away"
    ? { outcome: "server_unavailable" }
    : { outcome: "unexpected_result", why: faultOf(action, ended) };

function faultOf(action: string, ended: Ended): string {
  const reason = "reason" in ended && ended.reason ? `: ${ended.reason}` : "";
  return `${action} ${ended.status}${reason}`;
}
