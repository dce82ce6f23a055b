import { Buffer } from "node:buffer";
import { join, sep } from "node:path";
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
import { type Manifest, showVersion } from "../../bds/manifest.ts";
import {
  differingModules,
  isSameJson,
  type Pins,
  pinsIn,
  showPins,
  withPins,
} from "../../bds/module-versions.ts";
import { decodeText } from "../../bds/text-encoding.ts";
import { type Change, type PlanPart, Refusal } from "./change.ts";
import { type Disk, draftPath } from "./disk.ts";

/** A pack of this product, as it was built. */
export interface SourcePack {
  kind: PackKind;
  manifest: Manifest;
  /** its files by path, with the manifest last */
  files: Map<string, Uint8Array>;
}

/** What the packs are called here; their manifests name keys of texts. */
export const PACK_NAMES: Record<PackKind, string> = {
  behavior: "Web Bridge",
  resource: "Web Bridge resource pack",
};

/** Name of the folder of a new pack. */
const FOLDER = "web_bridge";
const MODE = 0o644;

/** Reads a pack that was built; undefined when it was not. */
export function readSourcePack(folder: string, kind: PackKind, disk: Disk): SourcePack | undefined {
  const manifest = packIn(folder, disk);
  if (manifest === undefined) return undefined;
  if (isFault(manifest)) throw new Refusal(`${join(folder, MANIFEST)}: ${manifest.fault}`);
  const names = filesBelow(disk.realPath(folder), disk).sort(
    (a, b) => Number(a === MANIFEST) - Number(b === MANIFEST),
  );
  const files = new Map(names.map(name => [name, disk.read(join(folder, name)) ?? new Uint8Array()]));
  return { kind, manifest, files };
}

/**
 * What installs a pack, or brings an installed one to this version in the folder where it is.
 * @param asked versions of script modules that its manifest is to ask for; undefined: those that somebody has chosen stay
 */
export function planPack(pack: SourcePack, server: ServerFolder, disk: Disk, asked?: Pins): PlanPart {
  const fresh = join(packFolders(server, pack.kind)[0] ?? server.root, FOLDER);
  const found = packsOf(server, pack.kind, pack.manifest.uuid, disk);
  const old = found.find(({ folder }) => folder === fresh) ?? found[0];
  const target = disk.realPath(old?.folder ?? fresh);
  if (old === undefined) refuseForeign(fresh, pack.manifest.uuid, disk);
  const others = found.filter(each => each !== old && disk.realPath(each.folder) !== target);
  const pins = asked ?? (old === undefined ? new Map() : pinsIn(old.manifest, pack.manifest));
  const files = new Map(pack.files);
  const own = pack.files.get(MANIFEST);
  if (own !== undefined) files.set(MANIFEST, pinned(own, pack, pins, join(target, MANIFEST), disk));
  const changes = [...new Set(others.map(each => disk.realPath(each.folder)))].flatMap(folder =>
    changesTo(folder, new Map(), disk),
  );
  changes.push(...changesTo(target, files, disk));
  if (changes.length === 0) return { changes };
  const { version } = pack.manifest;
  const was = old === undefined ? "not installed" : showVersion(old.manifest.version);
  const lines = [`${PACK_NAMES[pack.kind]}: ${was} -> ${showVersion(version)} (${countOf(pack.files.size)})`];
  const now = old === undefined ? [] : differingModules(old.manifest, pack.manifest);
  for (const { id, version, wanted } of now) if (!pins.has(id)) lines.push(`${id}: ${version} -> ${wanted}`);
  if (pins.size > 0) lines.push(`asks for ${showPins(pins)}: --module-versions beta takes that back`);
  for (const { folder, manifest } of others)
    lines.push(`removed: version ${showVersion(manifest.version)} of it in ${folder}`);
  return { changes, item: { place: old?.folder ?? fresh, lines } };
}

/** The manifest that asks for chosen versions; the one that is there, when it says the same. */
function pinned(
  bytes: Uint8Array,
  { manifest }: SourcePack,
  pins: Pins,
  path: string,
  disk: Disk,
): Uint8Array {
  if (pins.size === 0) return bytes;
  const wanted = withPins(Buffer.from(bytes).toString("utf8"), manifest, pins);
  if (isFault(wanted)) throw new Refusal(`${MANIFEST}: ${wanted.fault}`);
  const there = disk.read(disk.realPath(path));
  const is = there === undefined ? undefined : decodeText(there);
  if (there !== undefined && is !== undefined && !isFault(is) && isSameJson(is.text, wanted.text))
    return there;
  return Buffer.from(wanted.text);
}

/** What takes a pack out of a server, in whatever folder it lies; the manifest goes first. */
export function planRemoval({ kind, manifest }: SourcePack, server: ServerFolder, disk: Disk): PlanPart {
  const found = packsOf(server, kind, manifest.uuid, disk);
  const folders = [...new Set(found.map(({ folder }) => disk.realPath(folder)))];
  const changes = folders.flatMap(folder => changesTo(folder, new Map(), disk));
  const [first] = found;
  if (first === undefined || changes.length === 0) return { changes };
  const line = `${PACK_NAMES[kind]}: ${showVersion(first.manifest.version)} -> removed`;
  return { changes, item: { place: first.folder, lines: [line] } };
}

/**
 * What gives a folder the files of a pack and no others.
 * @param folder without links
 */
function changesTo(folder: string, files: ReadonlyMap<string, Uint8Array>, disk: Disk): Change[] {
  const others = filesBelow(folder, disk).filter(name => !files.has(name));
  const wanted: [string, Uint8Array | undefined][] = [
    ...files,
    ...others.sort(manifestFirst).map((name): [string, undefined] => [name, undefined]),
  ];
  return wanted.flatMap(([name, after]) => {
    const path = join(folder, name);
    const real = disk.realPath(path);
    const before = disk.read(real);
    if (sameBytes(before, after)) return [];
    if (real !== path)
      throw new Refusal(`${path}: is behind a link: expected a file of the pack: delete that link`);
    return [{ path: real, kind: "pack", before, after, mode: disk.modeOf(real) ?? MODE }];
  });
}

/**
 * Names of all files below a folder, with `/`. Drafts that a killed setup has left are none, nor is what links lead to.
 * @param folder without links
 */
function filesBelow(folder: string, disk: Disk): string[] {
  return disk.list(folder).flatMap(name => {
    const path = join(folder, name);
    const kind = disk.kindOf(path);
    if (kind === undefined || disk.realPath(path) !== path) return [];
    if (kind === "file") return name.endsWith(draftPath("")) ? [] : [name];
    return filesBelow(path, disk).map(below => `${name}/${below}`);
  });
}

/** A pack without manifest is none, so it is the first to go. */
const manifestFirst = (a: string, b: string): number => Number(b === MANIFEST) - Number(a === MANIFEST);

function refuseForeign(folder: string, own: string, disk: Disk): void {
  const there = packIn(folder, disk);
  // Another setup may have put it there a moment ago.
  if (there === undefined || (!isFault(there) && there.uuid === own)) return;
  const what = isFault(there)
    ? `a pack whose manifest.json is wrong (${there.fault})`
    : `another pack, ${there.name}`;
  throw new Refusal(`${folder}${sep}: holds ${what}: move it elsewhere`);
}

const countOf = (files: number): string => (files === 1 ? "1 file" : `${files} files`);
