import { join, sep } from "node:path";
import {
  type BuiltFolders,
  type BuiltPack,
  filesBelow,
  PACK_FOLDER,
  readBuiltPack,
} from "../../bds/built-pack.ts";
import { isFault } from "../../bds/fault.ts";
import { sameBytes } from "../../bds/files.ts";
import {
  MANIFEST,
  type PackKind,
  packFolders,
  packIn,
  packsOf,
  type ServerFolder,
} from "../../bds/folder.ts";
import { keepsAchievements, scriptModuleOf, showVersion } from "../../bds/manifest.ts";
import {
  differingModules,
  manifestWithPins,
  type Pins,
  pinsIn,
  showPins,
} from "../../bds/module-versions.ts";
import { type Change, type PlanPart, Refusal } from "./change.ts";
import { type Disk, draftPath } from "./disk.ts";

/** Names for people: those in the manifests are keys of texts. */
export const PACK_NAMES: Record<PackKind, string> = {
  behavior: "Web Bridge",
  resource: "Web Bridge resource pack",
};

const MODE = 0o644;

/** The packs that were built into these folders; undefined: missing. Throws `Refusal` for one whose manifest cannot be read. */
export function builtPacks(
  folders: BuiltFolders,
  disk: Disk,
): Record<keyof BuiltFolders, BuiltPack | undefined> {
  const read = (name: keyof BuiltFolders): BuiltPack | undefined => {
    const pack = readBuiltPack(folders, name, disk);
    if (isFault(pack)) throw new Refusal(`${join(folders[name], MANIFEST)}: ${pack.fault}`);
    return pack;
  };
  return { behavior: read("behavior"), stable: read("stable"), resource: read("resource") };
}

/** Id of the script module of the built behavior packs; blank if there is none. */
export function builtModule(folders: BuiltFolders, disk: Disk): string {
  const { behavior } = builtPacks(folders, disk);
  return (behavior && scriptModuleOf(behavior.manifest)?.uuid) ?? "";
}

/**
 * Plans to install a pack, or to update it in its present folder.
 * @param asked versions of script modules for its manifest; undefined: those that the owner has chosen stay
 */
export function planPack(pack: BuiltPack, server: ServerFolder, disk: Disk, requestedPins?: Pins): PlanPart {
  const { kind, manifest, files } = pack;
  const fresh = join(packFolders(server, kind)[0] ?? server.root, PACK_FOLDER);
  const found = packsOf(server, kind, manifest.uuid, disk);
  const old = found.find(({ folder }) => folder === fresh) ?? found[0];
  const target = disk.realPath(old?.folder ?? fresh);
  if (old === undefined) refuseForeign(fresh, manifest.uuid, disk);
  const others = found.filter(each => each !== old && disk.realPath(each.folder) !== target);
  const pins = requestedPins ?? (old === undefined ? new Map() : pinsIn(old.manifest, manifest));
  const installed = disk.read(disk.realPath(join(target, MANIFEST)));
  const own = manifestWithPins(files.get(MANIFEST) ?? new Uint8Array(), manifest, pins, installed);
  if (isFault(own)) throw new Refusal(`${MANIFEST}: ${own.fault}`);
  const changes = [
    ...removeAll(
      others.map(({ folder }) => folder),
      disk,
    ),
    ...changesTo(target, new Map([...files, [MANIFEST, own]]), disk),
  ];
  if (changes.length === 0) return { changes };
  const count = files.size === 1 ? "1 file" : `${files.size} files`;
  const isStable = keepsAchievements(manifest);
  const wasStable = old === undefined ? isStable : keepsAchievements(old.manifest);
  const isOther = kind === "behavior" && isStable !== wasStable;
  const what = (stable: boolean): string =>
    stable ? ", keeps achievements" : isOther ? ", all features" : "";
  const was = old === undefined ? "not installed" : showVersion(old.manifest.version) + what(wasStable);
  const is = showVersion(manifest.version) + what(isStable);
  const lines = [`${PACK_NAMES[kind]}: ${was} -> ${is} (${count})`];
  const differing = old === undefined || isOther ? [] : differingModules(old.manifest, manifest);
  for (const { id, version, wanted } of differing)
    if (!pins.has(id)) lines.push(`${id}: ${version} -> ${wanted}`);
  if (pins.size > 0) lines.push(`requires ${showPins(pins)} (to go back: --module-versions beta)`);
  for (const { folder, manifest } of others)
    lines.push(`removed: version ${showVersion(manifest.version)} of it in ${folder}`);
  return { changes, item: { place: old?.folder ?? fresh, lines } };
}

/** Plans to remove a pack from all its folders; the manifest goes first. */
export function planRemoval({ kind, manifest }: BuiltPack, server: ServerFolder, disk: Disk): PlanPart {
  const found = packsOf(server, kind, manifest.uuid, disk);
  const changes = removeAll(
    found.map(({ folder }) => folder),
    disk,
  );
  const [first] = found;
  if (first === undefined || changes.length === 0) return { changes };
  const line = `${PACK_NAMES[kind]}: ${showVersion(first.manifest.version)} -> removed`;
  return { changes, item: { place: first.folder, lines: [line] } };
}

const removeAll = (folders: readonly string[], disk: Disk): Change[] =>
  [...new Set(folders.map(folder => disk.realPath(folder)))].flatMap(folder =>
    changesTo(folder, new Map(), disk),
  );

/**
 * Changes after which a folder has the files of a pack and no others.
 * @param folder without links
 */
function changesTo(folder: string, files: ReadonlyMap<string, Uint8Array>, disk: Disk): Change[] {
  // Drafts of a killed setup and targets of links are not files of a pack.
  const isPassedOver = (path: string): boolean =>
    disk.realPath(path) !== path || (path.endsWith(draftPath("")) && disk.kindOf(path) === "file");
  const others = filesBelow(folder, disk, isPassedOver)
    .filter(name => !files.has(name))
    .sort(manifestFirst);
  return [...files.keys(), ...others].flatMap(name => {
    const path = join(folder, name);
    const real = disk.realPath(path);
    const [before, after] = [disk.read(real), files.get(name)];
    if (sameBytes(before, after)) return [];
    if (real !== path)
      throw new Refusal(`${path}: is behind a link: expected a file of the add-on: delete that link`);
    return [{ path: real, kind: "pack", before, after, mode: disk.modeOf(real) ?? MODE }];
  });
}

/** Without its manifest a folder is no pack. */
const manifestFirst = (a: string, b: string): number => Number(b === MANIFEST) - Number(a === MANIFEST);

function refuseForeign(folder: string, own: string, disk: Disk): void {
  const there = packIn(folder, disk);
  // Another setup may just have created it.
  if (there === undefined || (!isFault(there) && there.uuid === own)) return;
  const what = isFault(there)
    ? `a pack whose manifest.json is wrong (${there.fault})`
    : `another pack, ${there.name}`;
  throw new Refusal(`${folder}${sep}: holds ${what}: move it elsewhere`);
}
