import { createHash } from "node:crypto";
import type { ServerInfo } from "./server-info.ts";

/**
 * How a file's changes are taken back when it was changed again since: `pack` and `yaml` stay, `level` keeps its
 * experiments, `json` and `properties` lose only what setup has put in.
 */
export type Kind = "pack" | "json" | "properties" | "level" | "yaml";

/** One file that becomes another. `undefined`: there is none. */
export interface Change {
  /** absolute, where symbolic links lead to */
  path: string;
  kind: Kind;
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
  /** permission bits of the file afterwards */
  mode: number;
}

/** What is shown of changes that belong together. */
export interface Item {
  /** file or folder, from the server's folder on */
  place: string;
  /** what happens there, one line each */
  lines: string[];
}

/** What happens in one place. */
export interface Part {
  changes: Change[];
  item?: Item;
}

/**
 * The part that some changes are.
 * @param lines is asked when there are any
 */
export const part = (place: string, changes: Change[], lines: () => string[]): Part =>
  changes.length === 0 ? { changes } : { changes, item: { place, lines: lines() } };

export interface Plan {
  /** in the order in which they have to be made */
  changes: Change[];
  items: Item[];
  /** all that setup has filled into the sidecar's configuration by then */
  filled?: ServerInfo;
  /** what its owner should know before, one line each */
  notes?: string[];
}

/** Setup will not go on; one line for each reason. Nothing has been changed. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly lines: readonly string[];

  constructor(...lines: string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

/** Stands for the state of a file: a hash of its bytes, or `gone`. */
export const stateOf = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? "gone" : createHash("sha256").update(bytes).digest("hex");
