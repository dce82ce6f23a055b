import type { ScriptQuirks } from "./guest/host.ts";

/** What a game may do otherwise than this one does, to try who notices it. */
export interface Quirks {
  readonly http?: HttpQuirks;
  readonly list?: ListQuirks;
  readonly script?: ScriptQuirks;
  /** the persistent id of a player is another one each time that they join */
  readonly changesIds?: boolean;
  /** a script can send nobody away, and is told so or not */
  readonly kicks?: "refused" | "ignored";
  /** the script is not told of the end */
  readonly endsUntold?: boolean;
  /** the world is saved when the game is stopped, and at no other time */
  readonly savesLate?: boolean;
}

export interface HttpQuirks {
  /** seconds after which the connection of a request breaks that was not answered */
  readonly cutSeconds?: number;
  /** a request waits until the one before it was answered */
  readonly oneAtATime?: boolean;
  /** most bytes of a body, whatever the permissions say */
  readonly mostSent?: number;
  /** most bytes of an answer: others come as an error */
  readonly mostReceived?: number;
  /** errors of the network have no code */
  readonly withoutCode?: boolean;
  /** the timeout of a request counts for nothing */
  readonly withoutTimeouts?: boolean;
  /** an entry of `allowed_uris` is a whole address, and no beginning of some */
  readonly wholeUris?: boolean;
}

export interface ListQuirks {
  /** neither adding who is on the list nor removing who is not throws */
  readonly isQuiet?: boolean;
  /** names with blanks in them are refused */
  readonly withoutBlanks?: boolean;
}
