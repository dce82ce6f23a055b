import type { DemoGame } from "../game.ts";

/** What the panel shows once it is there. */
export interface Show {
  game: DemoGame;
  /** address of the sidecar without a slash at the end, unless it is somebody else's */
  service?: string;
  /** takes away the connections of the website for so many milliseconds */
  unplug?(ms: number): void;
  /** folders of the built page, of the built client, and of the cookbook */
  places: { page: string; client: string; cookbook: string };
  /** is told of faults of the demo itself */
  say(line: string): void;
}
