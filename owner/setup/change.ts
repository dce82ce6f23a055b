import { createHash } from "node:crypto";
import type { ServerInfo } from "./server-info.ts";

/** What a changed file is: `pack` is a file of one of our packs, `level` a level.dat, `yaml` the sidecar's configuration. */
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
  /** what is changed, for people, one line each; none for files of packs */
  lines?: readonly string[];
}

/** What is shown of changes that belong together. */
export interface PlanItem {
  /** file or folder, from the server's folder on */
  place: string;
  /** what happens there, one line each */
  lines: string[];
}

/** What happens in one place. */
export interface PlanPart {
  changes: Change[];
  item?: PlanItem;
}

/**
 * The part that changes of one file are.
 * @param linesOf gives the lines for people; not called where nothing changes
 */
export function planPart(place: string, changes: Change[], linesOf: () => string[]): PlanPart {
  if (changes.length === 0) return { changes };
  const lines = linesOf();
  return { changes: changes.map(change => ({ ...change, lines })), item: { place, lines } };
}

export interface Plan {
  /** in the order in which they have to be made */
  changes: Change[];
  items: PlanItem[];
  /** all that setup has filled into the sidecar's configuration by then */
  filled?: ServerInfo;
  /** what its owner should know before, one line each */
  notes?: string[];
}

/** Setup will not go on; one line for each reason. */
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
