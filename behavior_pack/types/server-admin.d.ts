import type { Player } from "@minecraft/server";

/**
 * Members of `@minecraft/server-admin` (1.0.0-beta) missing from its published types, of game 1.21.81. The game may lack any export
 * of a beta module.
 */
declare module "@minecraft/server-admin" {
  /** Argument of the calls since game 1.26.50; in 1.26.40, an entry of the list. */
  interface AllowListEntryNameInfo {
    name?: string;
    xuid?: string;
  }

  /** Since game 1.26.40. */
  interface AllowListEntry extends AllowListEntryNameInfo {
    /** since game 1.26.50 */
    ignoresPlayerLimit?: boolean;
  }

  /** Since game 1.26.10 or earlier, and since 1.26.40 with `entries`. */
  class AllowList {
    private constructor();
    readonly entries: AllowListEntry[];
    /** `ignorePlayerLimit`: since game 1.26.50 */
    add(player: AllowListEntryNameInfo, ignorePlayerLimit?: boolean): void;
    remove(player: AllowListEntryNameInfo): void;
    contains(player: AllowListEntryNameInfo): boolean;
  }

  /** Kicks a player. Throws `CannotKickPlayerError` and `EngineError`. */
  function kickPlayer(player: Player, reason?: string): void;

  /** Since game 1.26.10 or earlier; undefined if the game is not a dedicated server. */
  const dedicatedServer: { readonly allowList: AllowList } | undefined;
}
