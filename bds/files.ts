import { Buffer } from "node:buffer";

const MEBIBYTE = 1024 * 1024;

/** Most bytes of one file: many times what a settings file, a list or a file of our packs has. */
export const MOST_BYTES = 4 * MEBIBYTE;

/** What lies where something else is expected. The message is for the owner and names it. */
export class UnusableFile extends Error {
  override readonly name = "Unfit";
  readonly code = "EUNFIT";
}

/** The error for a file that has more bytes than are read. */
export const tooLarge = (path: string, most: number): UnusableFile =>
  new UnusableFile(`${path}: is larger than ${most / MEBIBYTE} MiB`);

/** What is read of a file system. Each throws the system's error when it may not look. */
export interface Files {
  /** what is at a path, symbolic links followed; undefined: nothing */
  kindOf(path: string): "file" | "folder" | undefined;
  /**
   * The bytes of a file; undefined: there is no such file. Throws `Unfit` for a pipe, a device, or too many bytes.
   * @param most bytes, `MOST_BYTES` when left out
   */
  read(path: string, most?: number): Uint8Array | undefined;
  /** names in a folder, sorted; none when there is no such folder */
  list(path: string): string[];
}

/** Whether two files have the same bytes, or neither is there. */
export const sameBytes = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0;
