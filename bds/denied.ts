import { dirname, resolve } from "node:path";
import { isErrno, pathOf } from "../cli/errno.ts";
import type { Place } from "./owner.ts";
import { inside, lookAt, Mendable } from "./way.ts";

/** What the user may not do whom root acts as, because it is somebody else's. */
class Denied extends Mendable {
  override readonly name = "Denied";
  readonly code = "EACCES";
}

/**
 * The error to throw in the place of one of the system's that came up in a folder: it says who owns what its user may not
 * read or change, where that is not he.
 * @param uid whom root acted as
 */
export function deniedIn({ folder, uid: owner }: Place, uid: number, error: unknown): unknown {
  const path = pathOf(error);
  if (path === undefined || !isErrno(error, "EACCES", "EPERM")) return error;
  const found = foreignOn(resolve(folder, path), folder, uid);
  if (found === undefined) return error;
  const whose = found.uid === 0 ? "root" : `another user (${found.uid})`;
  const what = `${found.path}: belongs to ${whose}`;
  return new Denied(what, `chown -R ${uid} "${uid === owner ? folder : found.path}"`);
}

/** The last on the way from a folder to a path that is not the user's. */
function foreignOn(path: string, folder: string, user: number): { path: string; uid: number } | undefined {
  if (inside(folder, path) === undefined) return undefined;
  const { uid = user } = lookAt(path) ?? {};
  if (uid !== user) return { path, uid };
  return path === folder ? undefined : foreignOn(dirname(path), folder, user);
}
