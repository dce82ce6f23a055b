import type { Player } from "@minecraft/server";

/**
 * What this pack uses of `@minecraft/server-admin` (1.0.0-beta) and its published types, of game 1.21.81, do not have
 * yet. The game may leave out any export of a beta module.
 */
declare module "@minecraft/server-admin" {
  /** What the calls take since game 1.26.50. Before, since 1.26.40, that was what is on the list. */
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

  /** Sends a player away. Throws `CannotKickPlayerError` and `EngineError`. */
  function kickPlayer(player: Player, reason?: string): void;

  /** Since game 1.26.10 or earlier; undefined where the game is no dedicated server. */
  const dedicatedServer: { readonly allowList: AllowList } | undefined;
}
