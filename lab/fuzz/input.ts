/** What one client sends over a connection of its own, and what may come back. */
export interface Input {
  door: DoorName;
  /** what kind of input it is, for the table */
  kind: string;
  /** written one after another, with a turn in between */
  pieces: readonly Buffer[];
  /** whether it is HTTP as it should be, so that it has to be answered */
  isWhole: boolean;
}

export type DoorName = "public" | "bridge" | "chat";

/** Where the inputs go, and what they need to get past the first question. */
export interface Target {
  /** cookie of a browser session */
  cookie: string;
  adminKey: string;
  token: string;
  /** what the pack that plays along calls its run, and the session that it has */
  run: string;
  session(): string;
}
