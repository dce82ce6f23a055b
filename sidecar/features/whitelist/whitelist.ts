import { NAME_LENGTH } from "../../../shared/limits.ts";
import type { Result } from "../../../shared/result.ts";
import { ACTION_TIMEOUT_MS, type Game } from "../../kernel/bridge/actions.ts";
import { StorageAway } from "../../kernel/storage/ports.ts";
import type { Clock } from "../../platform/clock.ts";
import { createSharedReads } from "../../platform/shared-reads.ts";
import { type AuditChange, type Author, faultOf, type NotDone, notDone } from "../moderation/audit.ts";
import { isWhitelistName, type WhitelistNames, whitelistNames } from "./rules.ts";

/** Why a change was not made. */
export type WhitelistFailure = NotDone | { outcome: "not_whitelisted" | "invalid_name" };

/** The game's allowlist. Every change that was handed to the game is in the audit once its promise settles. */
export interface Whitelist {
  /**
   * The names on the list, read after this call, or the fault in words for the log; at most `ACTION_TIMEOUT_MS` later.
   * @throws StorageAway
   */
  read(): Promise<Result<string[]>>;
  /** Whether a name can be added at all. */
  takes(name: string): boolean;
  /** Whether a name could be on the list at all. */
  mayList(name: string): boolean;
  add(name: string, author: Author): Promise<{ outcome: "whitelisted" } | NotDone>;
  /** Removes every entry of exactly this name. */
  remove(name: string, author: Author): Promise<{ outcome: "removed" } | WhitelistFailure>;
}

export function createWhitelist(deps: {
  game: Game;
  auditChange: AuditChange;
  clock: Pick<Clock, "after">;
  /** which names can be added */
  names: WhitelistNames;
}): Whitelist {
  const { game, auditChange, clock, names } = deps;

  const readShared = createSharedReads(clock, async (): Promise<Result<string[]>> => {
    const ended = await game.act({ do: "allowlist-read" });
    if (ended.status === "done") return { value: whitelistNames(ended.names ?? []) };
    if (ended.status === "away") throw new StorageAway("allowlist-read: the storage cannot be reached");
    return { fault: faultOf("allowlist-read", ended) };
  });

  return {
    read() {
      return new Promise((resolve, reject) => {
        const cancel = clock.after(ACTION_TIMEOUT_MS, () => resolve({ fault: "allowlist-read timeout" }));
        readShared().then(resolve, reject).finally(cancel);
      });
    },
    takes: name => isWhitelistName(name, names),
    mayList: name => name !== "" && name.length <= NAME_LENGTH,
    async add(name, author) {
      const ended = await game.act({ do: "allowlist-add", name });
      const isDone = ended.status === "done";
      const changed = isDone ? ({ outcome: "whitelisted" } as const) : notDone("allowlist-add", ended);
      return auditChange({ action: "whitelist.add", name }, author, changed);
    },
    async remove(name, author) {
      const ended = await game.act({ do: "allowlist-remove", name });
      const by = (changed: { outcome: "removed" } | WhitelistFailure) =>
        auditChange({ action: "whitelist.remove", name }, author, changed);
      if (ended.status === "done") return by({ outcome: "removed" });
      if (ended.status !== "absent") return by(notDone("allowlist-remove", ended));
      return by({ outcome: isWhitelistName(name, names) ? "not_whitelisted" : "invalid_name" });
    },
  };
}
