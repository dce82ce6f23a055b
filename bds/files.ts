import { Buffer } from "node:buffer";

/** A path is not the expected kind of file. The message is for the owner and names the path. */
export class UnusableFile extends Error {
  override readonly name = "Unfit";
  readonly code = "EUNFIT";
}

/** Read access to a file system. Each method throws the system's error, such as EACCES. */
export interface Files {
  /** what is at a path, symbolic links followed; undefined: nothing */
  kindOf(path: string): "file" | "folder" | undefined;
  /** The bytes of a file; undefined: there is none. Throws `UnusableFile` for a pipe, a device, or too many bytes. */
  read(path: string): Uint8Array | undefined;
  /** names in a folder, sorted; none when it is missing */
  list(path: string): string[];
}

export const sameBytes = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0;
