import type { DemoGame } from "../game.ts";
import type { Fleet } from "./protocol.ts";

/** Content of the panel. */
export interface Show {
  game: DemoGame;
  /** address of the sidecar without a trailing slash; undefined if the demo did not start it */
  service?: string;
  /** interrupts the connections of the website for this many milliseconds */
  unplug?(ms: number): void;
  /** the sidecars, if there are several */
  fleet?: Fleet;
  /** folders of the built page, of the built client, and of the cookbook */
  places: { page: string; client: string; cookbook: string };
  /** prints an error of the demo */
  say(line: string): void;
}
