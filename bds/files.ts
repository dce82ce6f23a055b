import { Buffer } from "node:buffer";

/** What lies where something else is expected. The message is for the owner and names it. */
export class UnusableFile extends Error {
  override readonly name = "Unfit";
  readonly code = "EUNFIT";
}

/** What is read of a file system. Each throws the system's error when it may not look. */
export interface Files {
  /** what is at a path, symbolic links followed; undefined: nothing */
  kindOf(path: string): "file" | "folder" | undefined;
  /**
   * The bytes of a file; undefined: there is no such file. Throws `UnusableFile` for a pipe, a device, or too many bytes.
   */
  read(path: string): Uint8Array | undefined;
  /** names in a folder, sorted; none when there is no such folder */
  list(path: string): string[];
}

/** Whether two files have the same bytes, or neither is there. */
export const sameBytes = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0;
