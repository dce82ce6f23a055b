import { Buffer } from "node:buffer";

/** What is read of a file system. Each throws the system's error when it may not look. */
export interface Files {
  /** what is at a path, symbolic links followed; undefined: nothing */
  kindOf(path: string): "file" | "folder" | undefined;
  /**
   * The bytes of a file; undefined: there is no such file. Throws `TooLarge` when it has more than it may.
   * @param most bytes; undefined: as many as any file of a server's settings may have
   */
  read(path: string, most?: number): Uint8Array | undefined;
  /**
   * Names in a folder; none when there is no such folder. Throws `Unfit` when there are more than there may be.
   * @param most names; undefined: as many as any folder of settings or packs may have
   */
  list(path: string, most?: number): string[];
}

/** Whether two files have the same bytes, or neither is there. */
export const sameBytes = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0;
