import type { BuiltPack } from "../../bds/built-pack.ts";
import { isFault } from "../../bds/fault.ts";
import type { ServerFolder } from "../../bds/folder.ts";
import { isSame } from "../../bds/json-text.ts";
import { showVersion } from "../../bds/manifest.ts";
import { type PackEntry, readPackList, removePack, setPack } from "../../bds/pack-list.ts";
import { type PlanPart, planPart } from "./change.ts";
import type { Disk } from "./disk.ts";
import { entryOf, type Journal } from "./journal.ts";
import { PACK_NAMES } from "./packs.ts";
import { changeBytes, changeText, readText } from "./text-files.ts";

/** Plans to list a pack in the world, in its version. */
export function planList({ kind, manifest }: BuiltPack, { world }: ServerFolder, disk: Disk): PlanPart {
  const path = world.lists[kind];
  const file = readText(path, disk);
  const { uuid, version } = manifest;
  const changes = changeText(file, setPack(file.text, { id: uuid, version }), "json", disk);
  return planPart(path, changes, () => {
    const [was, now] = [listedVersion(file.text, uuid), showVersion(version)];
    if (was !== now) return [`${PACK_NAMES[kind]}: ${was} -> ${now}`];
    const old = entryIn(file.text, uuid)?.version;
    const form = isSame(old, version)
      ? "listed more than once -> once"
      : `version ${JSON.stringify(old)} -> ${JSON.stringify(version)}`;
    return [`${PACK_NAMES[kind]}: ${form}`];
  });
}

/** Plans to remove a pack from the world's list; a list that setup created only for it is removed. */
export function planUnlisting(
  { kind, manifest }: BuiltPack,
  { root, world }: ServerFolder,
  journal: Journal | undefined,
  disk: Disk,
): PlanPart {
  const path = world.lists[kind];
  const file = readText(path, disk);
  const { uuid } = manifest;
  if (entryIn(file.text, uuid) === undefined) return { changes: [] };
  const edited = removePack(file.text, uuid);
  const isEmptied = !isFault(edited) && readableList(edited.text)?.length === 0;
  const isOurs = entryOf(root, journal, file.path)?.before.state === "gone";
  const changes =
    isEmptied && isOurs
      ? [changeBytes(file.path, "json", file.bytes, undefined, disk)]
      : changeText(file, edited, "json", disk);
  return planPart(path, changes, () => [`${PACK_NAMES[kind]}: ${listedVersion(file.text, uuid)} -> (none)`]);
}

export const isListed = ({ kind, manifest }: BuiltPack, { world }: ServerFolder, disk: Disk): boolean =>
  entryIn(readText(world.lists[kind], disk).text, manifest.uuid) !== undefined;

function readableList(text: string | undefined): PackEntry[] | undefined {
  const list = readPackList(text);
  return isFault(list) ? undefined : list.entries;
}

const entryIn = (text: string | undefined, uuid: string): PackEntry | undefined =>
  readableList(text)?.find(({ id }) => id === uuid);

function listedVersion(text: string | undefined, uuid: string): string {
  const entry = entryIn(text, uuid);
  return entry === undefined ? "(none)" : showVersion(entry.version);
}
