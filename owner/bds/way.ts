import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { orElse } from "../../cli/errno.ts";
import { MOST_FOLDERS, Unfit } from "./bounds.ts";
import type { Owner } from "./owner.ts";

/** How many symbolic links a path may have, as systems count them. */
const MAX_LINKS = 40;
/** Permission bits: the group may write, others may, and only the owner of a name may take it away. */
const BY_GROUP = 0o020;
const BY_OTHERS = 0o002;
const STICKY = 0o1000;
const MODE = 0o7777;

/** A path that leads out of the folder that it is in. The message is for the owner and names it. */
export class Outside extends Error {
  override readonly name = "Outside";
  readonly code = "EOUTSIDE";

  constructor(path: string, folder: string) {
    super(`${path}: leads out of ${folder}: expected a file or folder in it, or a link to one`);
  }
}

/** What keeps root from going on. The message is for the owner and ends with what mends it. */
export class Mendable extends Error {
  readonly what: string;
  readonly mend: string;

  constructor(what: string, mend: string) {
    super(`${what}: ${mend}`);
    this.what = what;
    this.mend = mend;
  }
}

/** A way that another user could lead root astray on. */
export class Astray extends Mendable {
  override readonly name = "Astray";
}

/** A path without its links, and who has a say in it. */
interface Way {
  names: string[];
  /** owner of the innermost folder on it that is not root's */
  owner: Owner | undefined;
  /** who could have put the links elsewhere that were followed; root counts as nobody */
  leaders: { link: string; uid: number }[];
  /** what is at its end, or the nearest folder on the way to what is not there */
  end: Stats | undefined;
  isThere: boolean;
}

/** How a way is gone. */
interface Going {
  /** folder that it must not leave, without links */
  root: string;
  /** the way to it for the system */
  base: string;
  /** whether the last name is followed when it is a link, or stands for the link itself */
  last: "followed" | "itself";
  /** whether root goes it as root: not through folders where others may put things in the place of others */
  isRoots: boolean;
  /** folder without links that has one owner with all that is in it: what mends it goes for all of it */
  own?: string | undefined;
}

/** Follows the links of a path, which is counted from the folder on, one by one. Throws `Outside` and `Astray`. */
export function walk(short: string, { root, base, last, isRoots, own }: Going): Way {
  let todo = namesOf(short);
  let way: Way = { names: [], owner: undefined, leaders: [], end: lookAt(base), isThere: true };
  for (let links = 0; ; ) {
    const [name, ...rest] = todo;
    if (name === undefined) return way;
    const { names, owner, leaders, end } = way;
    const here = [...names, name];
    if (here.length + rest.length > MOST_FOLDERS)
      throw new Unfit(`${join(root, ...here, ...rest)}: is in more than ${MOST_FOLDERS} folders`);
    const found = lookAt(join(base, ...here));
    if (isRoots && owner === undefined) refuseWritable(join(root, ...names), end, found, own);
    const isEnd = rest.length === 0 && last === "itself";
    if (found?.isSymbolicLink() && !isEnd) {
      const link = join(root, ...here);
      if (++links > MAX_LINKS)
        throw Object.assign(new Error(`ELOOP: ${link}`), { code: "ELOOP", path: link });
      const target = resolve(root, ...names, readlinkSync(join(base, ...here)));
      const to = inside(root, target) ?? inside(root, realFolder(target));
      if (to === undefined) throw new Outside(link, root);
      const more = [found.uid, owner?.uid ?? 0].filter(uid => uid !== 0).map(uid => ({ link, uid }));
      todo = [...namesOf(to), ...rest];
      way = { names: [], owner: undefined, leaders: [...leaders, ...more], end: lookAt(base), isThere: true };
      continue;
    }
    const isOthers = found?.isDirectory() === true && found.uid !== 0 && !isEnd;
    todo = rest;
    way = {
      names: here,
      owner: isOthers ? found : owner,
      leaders,
      end: found ?? end,
      isThere: found !== undefined,
    };
  }
}

/** Where root comes to on a path, with `real` for the path without links. */
interface RootsWay extends Pick<Way, "owner" | "end" | "isThere"> {
  real: string;
}

/** The way to a path as root may go it. Throws `Astray` when others could lead it elsewhere. */
export function wayTo(path: string, own?: string, last: Going["last"] = "followed"): RootsWay {
  const { names, ...way } = walk(path, { root: sep, base: sep, last, isRoots: true, own });
  const real = join(sep, ...names);
  refuseLed(way.leaders, way.end?.uid ?? 0, `name ${real} itself`);
  return { ...way, real };
}

/** Throws `Astray` when a link was put there by somebody else than who is acted as where it leads. */
export function refuseLed(leaders: Way["leaders"], uid: number, mend: string): void {
  const wrong = leaders.find(leader => leader.uid !== uid);
  if (wrong !== undefined)
    throw new Astray(`${wrong.link}: is a link of another user than the owner of where it leads`, mend);
}

/** Whether others than the owner may write a file or in a folder. The group of root has nobody else in it. */
export const isWritable = ({ mode, gid }: Pick<Stats, "mode" | "gid">): boolean =>
  (mode & (gid === 0 ? BY_OTHERS : BY_GROUP | BY_OTHERS)) !== 0;

/** In a folder with the sticky bit others can only make what is missing, and replace what is theirs. */
function refuseWritable(
  path: string,
  folder: Stats | undefined,
  entry: Stats | undefined,
  own: string | undefined,
): void {
  if (!folder?.isDirectory() || folder.uid !== 0 || !isWritable(folder)) return;
  const isSticky = (folder.mode & STICKY) !== 0;
  if (isSticky && (entry?.uid === 0 || entry?.isDirectory() || entry?.isSymbolicLink())) return;
  const what = `${path}: others than root may write in it (mode ${(folder.mode & MODE).toString(8)}), and could lead root astray`;
  if (isSticky) throw new Astray(what, "use a folder in which nobody but root may write");
  if (own === undefined || inside(own, path) === undefined) throw new Astray(what, `chmod go-w "${path}"`);
  const other = "give it to the user whom it is for, when that is not root";
  throw new Astray(what, `chmod -R go-w "${path}", or ${other}`);
}

/** A path from a folder on, empty for the folder itself; undefined when it is written as one outside. */
export function inside(root: string, path: string): string | undefined {
  const from = relative(root, resolve(root, path));
  return from === ".." || from.startsWith(`..${sep}`) || isAbsolute(from) ? undefined : from;
}

/** A path without links, as it is written where they lead nowhere. */
export const realFolder = (path: string): string => orElse(() => realpathSync(path), resolve(path));

/** What is at a path itself; undefined when nothing is, or when it may not be looked at. */
export const lookAt = (path: string): Stats | undefined => orElse(() => lstatSync(path), undefined);

const namesOf = (path: string): string[] => path.split(sep).filter(name => name !== "");
