import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Files } from "./folder.ts";
import { asOwner, inPlace, isRoot, type Owner, placeOf } from "./owner.ts";

/** How many symbolic links a path may have, as systems count them. */
const MAX_LINKS = 40;
/** Permission bits: others than the owner may write, and only the owner of a name may take it away. */
const WRITABLE = 0o022;
const STICKY = 0o1000;

/** A path that leads out of the folder that it is in. The message is for the owner and names it. */
class Outside extends Error {
  override readonly name = "Outside";
  readonly code = "EOUTSIDE";

  constructor(path: string, folder: string) {
    super(`${path}: leads out of ${folder}: expected a file or folder in it, or a link to one`);
  }
}

/**
 * A folder that is worked in without ever leaving it. Root acts in it as its owner; in one of its own, as the owner of
 * the outermost folder below it that is somebody else's.
 */
export interface Area {
  /** without symbolic links */
  root: string;
  /** who root acts as in it; undefined: this process is not root, or nothing is there */
  owner: Owner | undefined;
  /** whether a path is written as one in this folder; where its links lead is another question */
  has(path: string): boolean;
  /**
   * Does something at once with a path in the folder. Throws `Outside` when links on it lead out.
   * @param act gets the path to use, for which no link has to be followed, and the same in full
   * @param last whether the last name is followed when it is a link, or stands for the link itself
   */
  at<T>(path: string, act: (path: string, real: string) => T, last?: "followed" | "itself"): T;
}

/**
 * Opens an area. One that is missing can be opened: nothing is in it. The folder may be a link itself, and paths may
 * begin with it as it is written.
 */
export function openArea(folder: string): Area {
  const root = realFolder(folder);
  const place = isRoot() && lookAt(root) !== undefined ? placeOf(root) : undefined;
  const isPinned = place !== undefined && (place.uid !== 0 || !isRoots(dirname(root)));
  const shortOf = (path: string): string | undefined => inside(root, path) ?? inside(resolve(folder), path);
  function at<T>(
    path: string,
    act: (path: string, real: string) => T,
    last: "followed" | "itself" = "followed",
  ): T {
    const short = shortOf(path);
    if (short === undefined) throw new Outside(path, root);
    const look = (base: string): Way => walk(root, base, short, last);
    const done = (base: string, { names }: Way): T => act(join(base, ...names), join(root, ...names));
    if (place === undefined) return done(root, look(root));
    if (!isPinned) {
      const way = look(root);
      return way.owner === undefined ? done(root, way) : inPlace(place, way.owner, () => done(".", way));
    }
    return inPlace(place, place, () => {
      const way = look(".");
      if (place.uid !== 0 || way.owner === undefined) return done(".", way);
      return asOwner(way.owner, () => done(".", way));
    });
  }
  return { root, owner: place, has: path => shortOf(path) !== undefined, at };
}

/** Files of which those in an area are reached through it, and the rest as `others` has it. */
export const filesIn = (area: Area, files: Files, others = files): Files => ({
  kindOf: path => (area.has(path) ? area.at(path, files.kindOf) : others.kindOf(path)),
  read: path => (area.has(path) ? area.at(path, files.read) : others.read(path)),
  list: path => (area.has(path) ? area.at(path, files.list) : others.list(path)),
});

/** A path from a folder on, empty for the folder itself; undefined when it is written as one outside. */
export function inside(root: string, path: string): string | undefined {
  const from = relative(root, resolve(root, path));
  return from === ".." || from.startsWith(`..${sep}`) || isAbsolute(from) ? undefined : from;
}

interface Way {
  names: string[];
  /** owner of the outermost folder on it that is not root's */
  owner: Owner | undefined;
}

/** Follows the links of a path one by one. `base` is the way to `root` for the system. */
function walk(root: string, base: string, short: string, last: "followed" | "itself"): Way {
  let todo = namesOf(short);
  let names: string[] = [];
  let owner: Owner | undefined;
  for (let links = 0; ; ) {
    const [name, ...rest] = todo;
    if (name === undefined) return { names, owner };
    const here = [...names, name];
    const isEnd = rest.length === 0 && last === "itself";
    const found = isEnd ? undefined : lookAt(join(base, ...here));
    if (found?.isSymbolicLink()) {
      const path = join(root, ...here);
      if (++links > MAX_LINKS) throw Object.assign(new Error(`ELOOP: ${path}`), { code: "ELOOP", path });
      const target = resolve(root, ...names, readlinkSync(join(base, ...here)));
      const to = inside(root, target) ?? inside(root, realFolder(target));
      if (to === undefined) throw new Outside(path, root);
      todo = [...namesOf(to), ...rest];
      names = [];
      continue;
    }
    if (found?.isDirectory() && found.uid !== 0) owner ??= found;
    [names, todo] = [here, rest];
  }
}

const namesOf = (path: string): string[] => path.split(sep).filter(name => name !== "");

/** What is at a path itself; undefined when nothing is, or when it may not be looked at. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Whether nobody but root can put others in the place of what root has in a folder. */
function isRoots(folder: string): boolean {
  const found = lookAt(folder);
  if (found === undefined || found.uid !== 0) return false;
  if ((found.mode & WRITABLE) !== 0 && (found.mode & STICKY) === 0) return false;
  return dirname(folder) === folder || isRoots(dirname(folder));
}
