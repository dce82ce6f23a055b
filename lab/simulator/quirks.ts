import type { ScriptQuirks } from "./guest/host.ts";

/** Differences of other versions of the game, to test who notices them. */
export interface Quirks {
  readonly http?: HttpQuirks;
  readonly script?: ScriptQuirks;
  readonly console?: ConsoleQuirks;
  /** a script cannot kick players, with or without an error */
  readonly kicks?: "refused" | "ignored";
  /** the world is saved only when the game stops */
  readonly savesLate?: boolean;
}

export interface HttpQuirks {
  /** seconds after which the connection of a request without a response breaks */
  readonly cutSeconds?: number;
  /** an entry of `allowed_uris` is a complete address, not a prefix */
  readonly wholeUris?: boolean;
}

export interface ConsoleQuirks {
  /** how many typed commands a tick runs; 0.25: one in four ticks. Default: 1 */
  readonly commandsPerTick?: number;
  /** characters of the longest typed command that is run. Default: 1000 */
  readonly longestCommand?: number;
  /** no blank line after the line of a script */
  readonly noBlankLines?: boolean;
  /** custom commands of the permission level `Owner` are unknown on the console too */
  readonly noOwner?: boolean;
  /** the answer of `allowlist list` has several lines */
  readonly listInLines?: boolean;
}
