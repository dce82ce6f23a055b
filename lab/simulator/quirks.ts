import type { ScriptQuirks } from "./guest/host.ts";

/** What a game may do otherwise than this one does, to try who notices it. */
export interface Quirks {
  readonly http?: HttpQuirks;
  readonly script?: ScriptQuirks;
  /** a script can send nobody away, and is told so or not */
  readonly kicks?: "refused" | "ignored";
  /** the world is saved when the game is stopped, and at no other time */
  readonly savesLate?: boolean;
}

export interface HttpQuirks {
  /** seconds after which the connection of a request breaks that was not answered */
  readonly cutSeconds?: number;
  /** an entry of `allowed_uris` is a whole address, and no beginning of some */
  readonly wholeUris?: boolean;
}
