import { dirname, resolve } from "node:path";
import { isErrno, pathOf } from "../../cli/errno.ts";
import type { Place } from "./owner.ts";
import { inside, lookAt, Mendable } from "./way.ts";

/** What the user may not do whom root acts as, or who runs this himself. */
class Denied extends Mendable {
  override readonly name = "Denied";
  readonly code = "EACCES";
}

/**
 * The error to throw in the place of one of the system's that came up in a folder: it says who owns what its user may not
 * read or change, where that is not he, and else what mode keeps him out.
 * @param uid whom root acted as
 */
export function deniedIn({ folder, uid: owner }: Place, uid: number, error: unknown): unknown {
  const path = pathOf(error);
  if (path === undefined || !isErrno(error, "EACCES", "EPERM")) return error;
  const found = foreignOn(resolve(folder, path), folder, uid);
  if (found === undefined) return closedTo(uid, resolve(folder, path)) ?? error;
  const whose = found.uid === 0 ? "root" : `another user (${found.uid})`;
  const what = `${found.path}: belongs to ${whose}`;
  return new Denied(what, `chown -R ${uid} "${uid === owner ? folder : found.path}"`);
}

/** The mode that keeps a user from what is his own, the nearest on the way to a path; undefined: it is none. */
export function closedTo(user: number, path: string): Mendable | undefined {
  const found = lookAt(path);
  if (found !== undefined && (user === 0 || found.uid !== user)) return undefined;
  const [bits, needed] = found?.isDirectory() ? ["u+rwx", 0o700] : ["u+rw", 0o600];
  if (found !== undefined && (found.mode & needed) !== needed) {
    const mode = (found.mode & 0o7777).toString(8);
    return new Denied(`${path}: is closed to its own user (mode ${mode})`, `chmod ${bits} "${path}"`);
  }
  return dirname(path) === path ? undefined : closedTo(user, dirname(path));
}

/** The last on the way from a folder to a path that is not the user's. */
function foreignOn(path: string, folder: string, user: number): { path: string; uid: number } | undefined {
  if (inside(folder, path) === undefined) return undefined;
  const { uid = user } = lookAt(path) ?? {};
  if (uid !== user) return { path, uid };
  return path === folder ? undefined : foreignOn(dirname(path), folder, user);
}
