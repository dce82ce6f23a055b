import { statSync } from "node:fs";

/** Who acts on files. */
export interface Owner {
  uid: number;
  gid: number;
}

/** A folder that stays the same one, whatever its path leads to later. */
export interface Place extends Owner {
  folder: string;
  dev: number;
  ino: number;
}

/** A folder whose owner is root's group as well is no reason to read what that group may. */
const NO_GROUP = 65_534;

/** Whether this process may become any user. */
export const isRoot = (): boolean => process.geteuid?.() === 0;

/** A folder that is there. Throws the system's error when it is not. */
export function placeOf(folder: string): Place {
  const { uid, gid, dev, ino } = statSync(folder);
  return { folder, uid, gid, dev, ino };
}

/**
 * Does something at once with a folder as the current one, so that no part of the way to it counts, and as a user. For
 * root only. The folder is given without links: another place is not taken for it, nor for the one to come back to.
 */
export function inPlace<T>(place: Place, owner: Owner, act: () => T): T {
  const back = placeOf(process.cwd());
  try {
    enter(place);
    return asOwner(owner, act);
  } finally {
    enter(back);
  }
}

function enter({ folder, dev, ino }: Place): void {
  process.chdir(folder);
  const here = statSync(".");
  if (here.dev !== dev || here.ino !== ino || process.cwd() !== folder)
    throw new Error(`${folder}: was replaced by another folder a moment ago: run this again`);
}

/** Does something at once with the rights of a user and no others, and becomes root again. For root only. */
export function asOwner<T>({ uid, gid }: Owner, act: () => T): T {
  if (uid === 0) return act();
  const [group, groups] = [process.getegid?.() ?? 0, process.getgroups?.() ?? []];
  try {
    become({ uid, gid });
    return act();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(group);
    process.setgroups?.(groups);
  }
}

/** Goes on with the rights of a user and no others. For root only. */
export function become({ uid, gid }: Owner): void {
  if (uid === 0) return;
  const own = gid === 0 ? NO_GROUP : gid;
  process.setgroups?.([own]);
  process.setegid?.(own);
  process.seteuid?.(uid);
}

/** Does something at once as root, in the midst of what is done with the rights of another user. */
export function asRoot<T>(act: () => T): T {
  const uid = process.geteuid?.() ?? 0;
  try {
    process.seteuid?.(0);
    return act();
  } finally {
    process.seteuid?.(uid);
  }
}
