import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Area, openArea } from "./area.ts";
import { asOwner, isRoot, type Owner } from "./owner.ts";
import { Astray, isWritable, lookAt, realFolder, wayTo } from "./way.ts";

/** Whoever has a say in the sidecar's configuration, as root has to mind him. */
interface Home {
  /** its folder, or the nearest that is there, where plain paths will not do */
  area: Area | undefined;
  /** who root acts as with what it names; undefined: this process is not root */
  owner: Owner | undefined;
}

/**
 * The folder of the sidecar's configuration, where root has to reach it as another user, or over folders of one;
 * undefined: by its path, as everybody else. Throws `Astray` when root must not go there.
 * @param path of the configuration, absolute
 */
export const configArea = (path: string): Area | undefined => homeOf(path).area;

/** Name of the file in the storage folder that holds the secret of pack and sidecar. */
const TOKEN_FILE = "bridge-token";

/**
 * Does something at once with the folder where the sidecar keeps its data, with no more rights than whoever wrote its
 * configuration, or than the folder's owner. Throws `Astray` when others could put something in the place of root's
 * token.
 * @param file name of the token's file there
 */
export function inStorage<T>(
  path: string,
  folder: string,
  act: (folder: string) => T,
  file: string = TOKEN_FILE,
): T {
  const { area, owner } = homeOf(path);
  if (owner === undefined) return act(folder);
  const token = join(folder, file);
  const within = (home: Area): T =>
    home.at(
      token,
      (name, real) => {
        if (isRoot()) refuseLink(name, real);
        return act(dirname(name));
      },
      "itself",
    );
  if (area?.has(folder) && area.owner?.uid === owner.uid) return within(area);
  if (owner.uid !== 0) return asOwner(owner, () => act(folder));
  const other = areaOf(folder);
  if (!other.isPlain) return within(other);
  wayTo(token, realFolder(folder), "itself");
  refuseLink(token, token);
  return act(folder);
}

/** Throws `Astray` where a link stands for a token, unless it is root's and no user has a say in where it leads. */
function refuseLink(name: string, real: string): void {
  const found = lookAt(name);
  if (!found?.isSymbolicLink()) return;
  const mend = "put the token itself in its place";
  if (found.uid !== 0) throw new Astray(`${real}: is a link of another user`, mend);
  const way = wayTo(real);
  if (way.owner !== undefined)
    throw new Astray(`${real}: leads to ${way.real}, in a folder of another user`, mend);
}

function homeOf(path: string): Home {
  if (!isRoot()) return { area: undefined, owner: undefined };
  const area = areaOf(dirname(path));
  if (area.owner?.uid !== 0) return { area, owner: area.owner };
  const way = area.isPlain ? wayTo(path, realFolder(dirname(path))) : undefined;
  if (way?.owner !== undefined)
    throw new Astray(`${path}: leads to ${way.real}, in a folder of another user`, "name that file itself");
  const file = way === undefined ? area.at(path, found => lookAt(found)) : way.end;
  if (file?.isFile() && file.uid === 0 && isWritable(file))
    throw new Astray(`${path}: others than root may write it`, `chmod go-w "${path}"`);
  return { area: area.isPlain ? undefined : area, owner: file ?? area.owner };
}

/** The area of the nearest folder that is there. */
function areaOf(folder: string): Area {
  const at = resolve(folder);
  return statSync(at, { throwIfNoEntry: false })?.isDirectory() || dirname(at) === at
    ? openArea(at)
    : areaOf(dirname(at));
}
