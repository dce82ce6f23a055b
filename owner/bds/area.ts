import { join, resolve } from "node:path";
import { deniedIn } from "./denied.ts";
import type { Files } from "./files.ts";
import { inPlace, isRoot, type Owner, type Place } from "./owner.ts";
import { Astray, inside, lookAt, Outside, realFolder, refuseLed, walk, wayTo } from "./way.ts";

/**
 * A folder that is worked in without ever leaving it. Root acts in it as its owner; in one of its own, as the owner of
 * the innermost folder on the way that is somebody else's.
 */
export interface Area {
  /** without symbolic links */
  root: string;
  /** who root acts as in it; undefined: this process is not root, or nothing is there */
  owner: Owner | undefined;
  /** whether nobody but root has a say on the way to it; true as well when this process is not root */
  isPlain: boolean;
  /** whether a path is written as one in this folder; where its links lead is another question */
  has(path: string): boolean;
  /**
   * Does something at once with a path in the folder. Throws `Outside` when links on it lead out, and `Astray` when
   * others could lead root elsewhere.
   * @param act gets the path to use, for which no link has to be followed, and the same in full
   * @param last whether the last name is followed when it is a link, or stands for the link itself
   */
  at<T>(path: string, act: (path: string, real: string) => T, last?: "followed" | "itself"): T;
}

/**
 * Opens an area. One that is missing can be opened: nothing is in it. The folder may be a link itself, and paths may
 * begin with it as it is written. Throws `Astray` when root must not go there.
 */
export function openArea(folder: string): Area {
  const written = resolve(folder);
  const way = isRoot() ? wayTo(written) : undefined;
  const root = way?.real ?? realFolder(folder);
  const place = way?.isThere && way.end?.isDirectory() ? { ...way.end, folder: root } : undefined;
  const isPlain = way === undefined || (way.owner === undefined && way.end?.uid === 0);
  const shortOf = (path: string): string | undefined => inside(root, path) ?? inside(written, path);
  function at<T>(
    path: string,
    act: (path: string, real: string) => T,
    last: "followed" | "itself" = "followed",
  ): T {
    const short = shortOf(path);
    if (short === undefined) throw new Outside(path, root);
    const look = (base: string, isRoots: boolean) => walk(short, { root, base, last, isRoots, own: root });
    const done = (base: string, names: string[]): T => act(join(base, ...names), join(root, ...names));
    if (place === undefined) {
      if (way !== undefined && lookAt(root)?.isDirectory())
        throw new Astray(`${root}: was made a moment ago`, "run this again");
      return done(root, look(root, false).names);
    }
    if (place.uid !== 0) return within(place, place, () => done(".", look(".", false).names));
    const { names, owner, leaders } = inPlace(place, place, () => look(".", true));
    refuseLed(leaders, owner?.uid ?? 0, "put what is expected in its place");
    if (isPlain && owner === undefined) return done(root, names);
    return within(place, owner ?? place, () => done(".", names));
  }
  return { root, owner: place, isPlain, has: path => shortOf(path) !== undefined, at };
}

/** Does something in a place as a user. What he may not, because it is another's, is told with what mends it. */
function within<T>(place: Place, user: Owner, act: () => T): T {
  try {
    return inPlace(place, user, act);
  } catch (error) {
    throw deniedIn(place, user.uid, error);
  }
}

/** Does the same thing with a path in an area by one set of tools, and with others by another. */
export const through =
  <D>(area: Area, tools: D, others: D) =>
  <A extends unknown[], R>(act: (by: D) => (path: string, ...rest: A) => R, last?: "followed" | "itself") =>
  (path: string, ...rest: A): R =>
    area.has(path) ? area.at(path, found => act(tools)(found, ...rest), last) : act(others)(path, ...rest);

/** Files of which those in an area are reached through it, and the rest as `others` has it. */
export function filesIn(area: Area, files: Files, others = files): Files {
  const its = through(area, files, others);
  return { kindOf: its(by => by.kindOf), read: its(by => by.read), list: its(by => by.list) };
}
