export {};

/**
 * What this pack uses of `@minecraft/server-admin` (1.0.0-beta) and its published types, of game 1.21.81, do not have
 * yet. The game may leave out any export of a beta module.
 */
declare module "@minecraft/server-admin" {
  /** Since game 1.26.40. */
  interface AllowListEntry {
    name?: string;
    xuid?: string;
  }

  /** Since game 1.26.10 or earlier, and since 1.26.40 with `entries` and in terms of them. */
  class AllowList {
    private constructor();
    readonly entries: AllowListEntry[];
    add(player: AllowListEntry): void;
    remove(player: AllowListEntry): void;
    contains(player: AllowListEntry): boolean;
  }

  /** Since game 1.26.10 or earlier; undefined where the game is no dedicated server. */
  const dedicatedServer: { readonly allowList: AllowList } | undefined;
}
