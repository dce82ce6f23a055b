/**
 * The part of `@minecraft/server-admin` (1.0.0-beta, game 1.26.40 and later) that this pack uses. The game may
 * leave out any export of a beta module, so every value may be undefined.
 */
declare module "@minecraft/server-admin" {
  /** A secret that scripts can pass on but not read. */
  export interface SecretString {
    readonly __secret?: never;
  }

  export interface AllowListEntry {
    name?: string;
    xuid?: string;
  }

  export interface AllowList {
    readonly entries: AllowListEntry[];
    add(player: AllowListEntry): void;
    contains(player: AllowListEntry): boolean;
  }

  export const variables: { get(name: string): unknown } | undefined;
  export const secrets: { get(name: string): SecretString | undefined } | undefined;
  export const dedicatedServer: { readonly allowList: AllowList } | undefined;
}
