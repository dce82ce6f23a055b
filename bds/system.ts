import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { isErrno } from "../cli/errno.ts";
import type { Files } from "./folder.ts";
import type { SystemSigns } from "./running.ts";

/** The result, or undefined when what is asked for is not there. */
function ifThere<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

function orElse<T>(ask: () => T, otherwise: T): T {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}

/** The real file system. */
export const systemFiles: Files = {
  kindOf: path => {
    const found = ifThere(() => statSync(path));
    if (found?.isDirectory()) return "folder";
    return found?.isFile() ? "file" : undefined;
  },
  read: path => ifThere(() => readFileSync(path)),
  list: path => ifThere(() => readdirSync(path)) ?? [],
};

/** What the real system tells. */
export const systemSigns: SystemSigns = {
  platform: process.platform,
  locks: () => orElse(() => readFileSync("/proc/locks", "utf8").split("\n"), []),
  pids: () =>
    orElse(
      () =>
        readdirSync("/proc")
          .filter(name => /^\d+$/.test(name))
          .map(Number),
      [],
    ),
  linkOf: (pid, what) => orElse(() => readlinkSync(`/proc/${pid}/${what}`), undefined),
  realPath: path => orElse(() => realpathSync(path), path),
  identityOf: path =>
    ifThere(() => {
      const { dev, ino } = statSync(path, { bigint: true });
      return { device: dev, inode: ino };
    }),
  opens: path => {
    try {
      closeSync(openSync(path, "r+"));
      return true;
    } catch (error) {
      return isErrno(error, "ENOENT", "ENOTDIR");
    }
  },
};
