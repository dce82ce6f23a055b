import type { Fixture } from "./fixture.ts";

/** A problem of a server that was set up, its cause, and the doctor's finding about it. */
export interface Breakage {
  /** of the only check that finds it */
  id: string;
  what: string;
  /** words that the finding has */
  says: string;
  break(fixture: Fixture): void | Promise<void>;
  /** what the words of the fix have done before its command */
  first?(fixture: Fixture): void;
  /** `key=value` that the words of the fix set in server.properties */
  set?: string;
  /** the fix is words alone, and the owner decides: nothing is to run */
  byHand?: true;
  /** the command of the fix, where it is not run here */
  command?: string;
  /** the script does not even start */
  stops?: true;
  /** the game that has opened the world last, where it is an older one */
  game?: string;
}
