import { basename } from "node:path";
import { isFault } from "./fault.ts";
import type { Files } from "./files.ts";
import { packFolders, type ServerFolder } from "./folder.ts";
import { levelDatAt } from "./level-dat.ts";
import { type Manifest, numbersOf } from "./manifest.ts";

/** Newest game that this build was tested with. */
export const NEWEST_TESTED = [1, 26, 60];
/** Patch releases of a game keep its script modules and count up to the next ten: for the pack 1.26.66 is 1.26.60. */
const NEWEST_FIX = [1, 26, 69];

/** Version numbers found in a server's folder; undefined: not found. */
interface VersionHints {
  /** in the name of the program, where some installers put it */
  named: number[] | undefined;
  /** in level.dat: the game that opened the world last */
  opened: number[] | undefined;
  /** in the name of the newest `vanilla_*` pack: the game is not older */
  packs: number[] | undefined;
}

/** How the game's version compares with the one that the pack needs, as text for the owner. */
interface GameVersion {
  is: "right" | "older" | "newer" | "unknown";
  /** whether the game may have been updated since */
  isDoubtful: boolean;
  what: string;
}

function versionHints(server: ServerFolder, files: Files): VersionHints {
  const versions = packFolders(server, "behavior")
    .slice(0, 1)
    .flatMap(folder => files.list(folder))
    .map(name => numbersIn(/^vanilla_(\d+\.\d+\.\d+)/i.exec(name)?.[1]))
    .filter(version => version !== undefined);
  const level = levelDatAt(server.world.levelDat, files);
  return {
    named: numbersIn(/(\d+\.\d+\.\d+(\.\d+)?)(\.exe)?$/i.exec(basename(server.program))?.[1]),
    opened: level === undefined || isFault(level) ? undefined : level.openedWith,
    packs: versions.sort(compare).at(-1),
  };
}

/**
 * The first three numbers of the game's version, where they are certain: from the program's name, or from the world unless a
 * pack shows that the game was updated later.
 */
export function knownGameVersion(server: ServerFolder, files: Files): string | undefined {
  const { named, opened, packs } = versionHints(server, files);
  const isOpenedByIt = opened !== undefined && (packs === undefined || compare(opened, packs) >= 0);
  return (named ?? (isOpenedByIt ? opened : undefined))?.slice(0, 3).join(".");
}

const numbersIn = (text: string | undefined): number[] | undefined => text?.split(".").map(Number);

/** The most likely version of the game, which may have been updated since; undefined: the folder does not tell. */
export function likelyGameVersion(server: ServerFolder, files: Files): number[] | undefined {
  return newestOf(versionHints(server, files));
}

const newestOf = ({ named, opened, packs }: VersionHints): number[] | undefined =>
  named ??
  [packs, opened]
    .filter(each => each !== undefined)
    .sort(compare)
    .at(-1);

export const isSince = (version: readonly number[], first: readonly number[]): boolean =>
  compare(version, first) >= 0;

/** Less than 0: the first is older. Numbers that only one of them has do not count. */
function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((part, place) => part !== (other[place] ?? part));
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

/** Compares the game in a server's folder with what a built pack needs, and with what it was tested with. */
export function gameVersion(server: ServerFolder, built: Manifest, files: Files): GameVersion {
  const hints = versionHints(server, files);
  const { named, opened, packs } = hints;
  const needed = numbersOf(built.engine) ?? [];
  const newest = newestOf(hints);
  const format = (version: readonly number[]): string => version.join(".");
  if (newest === undefined)
    return { is: "unknown", isDoubtful: true, what: "nothing in the server's folder shows it" };
  const how =
    newest === named
      ? `by the name of ${basename(server.program)}`
      : newest === opened
        ? "the version that last opened its world"
        : "by its newest vanilla pack";
  const game = `the game is ${format(newest)}, ${how}`;
  if (compare(newest, needed) < 0) {
    const what = `${game}, and the add-on needs ${format(needed)} or later`;
    return { is: "older", isDoubtful: newest === packs, what };
  }
  const isNewer = compare(newest, NEWEST_FIX) > 0;
  const tested = `, newer than ${format(NEWEST_TESTED)}, the newest that this build was tested with`;
  return { is: isNewer ? "newer" : "right", isDoubtful: false, what: `${game}${isNewer ? tested : ""}` };
}
