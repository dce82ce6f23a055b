import type { ScriptQuirks } from "./guest/host.ts";

/** Differences of other versions of the game, to test who notices them. */
export interface Quirks {
  readonly http?: HttpQuirks;
  readonly script?: ScriptQuirks;
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
