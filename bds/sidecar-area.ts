import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Area, openArea } from "./area.ts";
import { asOwner, isRoot, type Owner } from "./owner.ts";
import { Astray, isWritable, lookAt, wayTo } from "./way.ts";

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

/**
 * Does something at once with the folder where the sidecar keeps its data, with no more rights than whoever wrote its
 * configuration, or than the folder's owner.
 */
export function inStorage<T>(path: string, folder: string, act: (folder: string) => T): T {
  const { area, owner } = homeOf(path);
  if (area?.has(folder) && area.owner?.uid === owner?.uid) return area.at(folder, act);
  if (owner !== undefined && owner.uid !== 0) return asOwner(owner, () => act(folder));
  const other = areaOf(folder);
  return other.isPlain ? act(folder) : other.at(folder, act);
}

function homeOf(path: string): Home {
  if (!isRoot()) return { area: undefined, owner: undefined };
  const area = areaOf(dirname(path));
  if (area.owner?.uid !== 0) return { area, owner: area.owner };
  const way = area.isPlain ? wayTo(path) : undefined;
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
