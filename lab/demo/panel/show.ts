import type { DemoGame } from "../game.ts";
import type { Fleet } from "./protocol.ts";

/** What the panel shows once it is there. */
export interface Show {
  game: DemoGame;
  /** address of the sidecar without a slash at the end, unless it is somebody else's */
  service?: string;
  /** takes away the connections of the website for so many milliseconds */
  unplug?(ms: number): void;
  /** the sidecars, where there are several */
  fleet?: Fleet;
  /** folders of the built page, of the built client, and of the cookbook */
  places: { page: string; client: string; cookbook: string };
  /** is told of faults of the demo itself */
  say(line: string): void;
}
