import { createHash } from "node:crypto";
import type { ServerInfo } from "./server-info.ts";

/** `pack`: a file of one of our packs; `level`: a level.dat; `yaml`: the sidecar's configuration. */
export type Kind = "pack" | "json" | "properties" | "level" | "yaml";

/** A change of one file. `undefined`: the file is missing. */
export interface Change {
  /** absolute, without links */
  path: string;
  kind: Kind;
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
  /** permission bits of the file afterwards */
  mode: number;
  /** the changes for people, one line each; none for files of packs */
  lines?: readonly string[];
}

/** The lines for the owner about changes in one place. */
export interface PlanItem {
  /** file or folder, relative to the server's folder */
  place: string;
  lines: string[];
}

/** Changes in one place, with their lines for the owner. */
export interface PlanPart {
  changes: Change[];
  item?: PlanItem;
}

/**
 * The part of a plan for changes of one file.
 * @param linesOf the lines for the owner; not called if nothing changes
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
  /** all values that setup has filled into the sidecar's configuration, these changes included */
  filled?: ServerInfo;
  /** warnings for the owner, one line each */
  notes?: string[];
}

/** Setup stops; one line for each reason. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly lines: readonly string[];

  constructor(...lines: string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

/** A hash of a file's bytes, or `gone`. */
export const stateOf = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? "gone" : createHash("sha256").update(bytes).digest("hex");
