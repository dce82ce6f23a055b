import type { Fault } from "./fault.ts";
import type { Files } from "./files.ts";

const MEBIBYTE = 1024 * 1024;

/** Most bytes of one file, by what it is: many times what an ordinary one has. */
export const MOST_BYTES = {
  /** manifests, settings, lists of packs, server.properties */
  settings: MEBIBYTE,
  levelDat: 2 * MEBIBYTE,
  allowList: 2 * MEBIBYTE,
  /** what setup has noted of a server */
  journal: 2 * MEBIBYTE,
  /** every other file, such as those of our packs */
  any: 4 * MEBIBYTE,
};

/** Most files and folders in one folder; in the server's own, and in those of a world. */
export const MOST_NAMES = { any: 5000, large: 100_000 };

/** Most folders that a path may go through. */
export const MOST_FOLDERS = 100;

/** What one look at a server's folder may take: bytes of its files, and files and folders that are looked at. */
const MOST_BYTES_IN_ALL = 8 * MEBIBYTE;
const MOST_LOOKS = 20_000;

/** What lies where something else is expected. The message is for the owner and names it. */
export class Unfit extends Error {
  override readonly name: string = "Unfit";
  readonly code = "EUNFIT";
}

/** A file with more bytes than one of its kind has. */
export class TooLarge extends Unfit {
  override readonly name = "TooLarge";
  /** the same without the file's name */
  readonly what: string;

  constructor(path: string, most: number) {
    const what = `is larger than ${most / MEBIBYTE} MiB`;
    super(`${path}: ${what}`);
    this.what = what;
  }
}

/**
 * Files for one look at a server's folder: each is looked at once, and stays what it was then. Throws `Unfit`, from then
 * on always the same, when that takes more than the settings and packs of any server do.
 */
export function bounded<F extends Files>(files: F): F {
  let [bytes, looks] = [0, 0];
  let end: Unfit | undefined;
  const stop = (path: string, what: string): never => {
    end = new Unfit(`${path}: with it, ${what}: expected a server's own packs and settings`);
    throw end;
  };
  const once = <T>(look: (path: string, most?: number) => T) => {
    const seen = new Map<string, T>();
    return (path: string, most?: number): T => {
      if (end !== undefined) throw end;
      const known = seen.get(path);
      if (known !== undefined) return known;
      if (++looks > MOST_LOOKS) stop(path, `more than ${MOST_LOOKS} files and folders are to be looked at`);
      const found = look(path, most);
      seen.set(path, found);
      return found;
    };
  };
  const read = once((path, most) => {
    const found = files.read(path, most);
    bytes += found?.length ?? 0;
    if (bytes > MOST_BYTES_IN_ALL) stop(path, `more than ${MOST_BYTES_IN_ALL / MEBIBYTE} MiB are to be read`);
    return found;
  });
  return { ...files, kindOf: once(files.kindOf), read, list: once(files.list) };
}

/** The bytes of a file, why it is none to read, or undefined when there is none. */
export function readFile(
  path: string,
  files: Files,
  most = MOST_BYTES.settings,
): Uint8Array | Fault | undefined {
  try {
    return files.read(path, most);
  } catch (error) {
    if (error instanceof TooLarge) return { fault: `it ${error.what}` };
    throw error;
  }
}
