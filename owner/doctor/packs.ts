import { join, relative } from "node:path";
import { type BuiltPack, PACK_FOLDER } from "../../bds/built-pack.ts";
import { type Fault, isFault } from "../../bds/fault.ts";
import { sameBytes } from "../../bds/files.ts";
import { installedPacks, MANIFEST, packFolders, packIn, packsOf, parseFile } from "../../bds/folder.ts";
import { isSame } from "../../bds/json-text.ts";
import { showVersion } from "../../bds/manifest.ts";
import {
  differingModules,
  manifestWithPins,
  type Pins,
  pinsIn,
  showPins,
} from "../../bds/module-versions.ts";
import { readPackList } from "../../bds/pack-list.ts";
import { type Fix, note, ok, problem, type Verdict } from "./finding.ts";
import { byHand, bySetup } from "./fixes.ts";
import type { Target } from "./target.ts";

const WORD = { behavior: "behavior pack", resource: "resource pack" };

export function checkInstalled(target: Target, built: BuiltPack): Verdict | Verdict[] {
  const { server, system } = target;
  const { kind, manifest } = built;
  const word = WORD[kind];
  const broken = brokenPack(target, built);
  if (broken !== undefined)
    return problem(
      `${join(broken.folder, MANIFEST)}: ${broken.fault}`,
      bySetup(target, `delete the folder ${broken.folder} first`),
    );
  const wrong = (what: string): Verdict => problem(what, bySetup(target));
  const found = packsOf(server, kind, manifest.uuid, system.files);
  const [pack, ...others] = found;
  if (pack === undefined) return wrong(`the ${word} is not in ${kind}_packs of ${server.root}`);
  const place = relative(server.root, pack.folder);
  if (others.length > 0) {
    const places = found.map(({ folder }) => relative(server.root, folder)).join(", ");
    return wrong(`the ${word} is installed ${found.length} times: ${places}`);
  }
  const version = showVersion(pack.manifest.version);
  const wanted = showVersion(manifest.version);
  if (version !== wanted)
    return wrong(`the ${word} in ${place} has version ${version}, and the sidecar's is ${wanted}`);
  const pins = pinsIn(pack.manifest, manifest);
  const file = differingFile(pack.folder, built, pins, target);
  if (file !== undefined) {
    const module = differingModules(pack.manifest, manifest).find(({ id }) => !pins.has(id));
    if (file === MANIFEST && module !== undefined)
      return wrong(`${file} in ${place} requires ${module.id} ${module.version}, expected ${module.wanted}`);
    const isThere = system.files.kindOf(join(pack.folder, file)) === "file";
    return wrong(`${file} ${isThere ? `in ${place} differs from this build` : `is missing in ${place}`}`);
  }
  const fine = ok(`the ${word} ${version} is in ${place}, unchanged`);
  if (pins.size === 0) return fine;
  const back = `${target.setup} --module-versions beta`;
  const what = `${MANIFEST} in ${place} requires ${showPins(pins)} instead of beta: right for a game that rejects beta (docs/after-an-update.md); setup keeps it; to go back: ${back}`;
  return [fine, note(what)];
}

/** The first file of a pack that differs from the build, module versions of the owner's choice aside. */
function differingFile(
  folder: string,
  built: BuiltPack,
  pins: Pins,
  { system: { files } }: Target,
): string | undefined {
  return [...built.files.keys()].sort().find(name => {
    const path = join(folder, name);
    const installed = files.kindOf(path) === "file" ? files.read(path) : undefined;
    const bytes = built.files.get(name);
    if (name !== MANIFEST || bytes === undefined) return !sameBytes(installed, bytes);
    const wanted = manifestWithPins(bytes, built.manifest, pins, installed);
    return isFault(wanted) || !sameBytes(installed, wanted);
  });
}

/** The folder that setup uses for a pack, if the manifest there cannot be read. */
function brokenPack(
  { server, system: { files } }: Target,
  { kind }: BuiltPack,
): { folder: string; fault: string } | undefined {
  for (const folder of packFolders(server, kind).map(place => join(place, PACK_FOLDER))) {
    if (files.kindOf(folder) !== "folder") continue;
    const pack = packIn(folder, files) ?? { fault: "it is missing" };
    if (isFault(pack)) return { folder, fault: pack.fault };
  }
  return undefined;
}

/** How a list of packs is fixed that cannot be read. Deleting it would take the owner's other packs out of the world. */
function listFix(target: Target, { isFolder }: Fault, { uuid, version }: BuiltPack["manifest"]): Fix {
  if (isFolder) return bySetup(target, "move it elsewhere first");
  const entry = JSON.stringify({ pack_id: uuid, version });
  const words = `fix that line in an editor; do not delete the file: it lists your other packs too; the entry of this pack is ${entry}`;
  return { text: byHand(target, words) };
}

export function checkListed(target: Target, { kind, manifest }: BuiltPack): Verdict | Verdict[] {
  const path = target.server.world.lists[kind];
  const list = parseFile(path, target.system.files, readPackList);
  if (isFault(list)) return problem(`${path}: ${list.fault}`, listFix(target, list, manifest));
  const [name, word] = [`world_${kind}_packs.json`, WORD[kind]];
  const wrong = (what: string): Verdict => problem(what, bySetup(target));
  const expected = `expected ${JSON.stringify(manifest.version)} as in its manifest`;
  const [entry, ...more] = list.entries.filter(each => each.id === manifest.uuid);
  if (entry === undefined && list.unversioned.includes(manifest.uuid))
    return wrong(`${name} lists the ${word} without a version, ${expected}`);
  if (entry === undefined) return wrong(`the ${word} is not listed in ${name} of the world`);
  if (more.length > 0) return wrong(`the ${word} is listed ${more.length + 1} times in ${name}`);
  if (!isSame(entry.version, manifest.version))
    return wrong(`${name} lists version ${JSON.stringify(entry.version)} of the ${word}, ${expected}`);
  const ids = list.entries.map(({ id }) => id);
  const before = kind === "resource" ? ids.slice(0, ids.indexOf(manifest.uuid)) : [];
  const listed = ok(`the ${word} is listed once in ${name}, with the right version`);
  return [listed, ...checkOrder(target, manifest.uuid, before)];
}

/** A pack with this file changes forms; only that of the first such pack counts. */
const FORMS = join("ui", "server_form.json");

function checkOrder(target: Target, uuid: string, before: readonly string[]): Verdict[] {
  const { server, system } = target;
  const other = installedPacks(server, "resource", system.files).find(
    pack => before.includes(pack.manifest.uuid) && system.files.kindOf(join(pack.folder, FORMS)) === "file",
  );
  if (other === undefined) return [];
  const { name, uuid: id } = other.manifest;
  const what = `${server.world.lists.resource}: ${name} (${id}) also has a server_form.json and comes before ours: players do not see the chest form`;
  return [
    problem(
      what,
      byHand(target, `move the entry ${uuid} to the top of that list, or remove ${name} from it`),
    ),
  ];
}

/** Whether players are asked in the chest form, which needs the resource pack. */
export const wantsChest = ({ sidecar }: Target): boolean => sidecar?.config.modules.api.linkForm === "chest";

export function checkResourcePack(target: Target): Verdict | Verdict[] | undefined {
  const { server, resource, system, sidecar, setup } = target;
  if (wantsChest(target))
    return resource === undefined
      ? problem("the chest form needs the resource pack, which has not been built", {
          command: system.programs.build,
        })
      : checkInstalled(target, resource);
  if (sidecar === undefined || resource === undefined) return undefined;
  if (packsOf(server, "resource", resource.manifest.uuid, system.files).length === 0) return undefined;
  return note(
    `the resource pack is installed but not used, since modules.api.link-form is buttons; to remove it: ${setup} --no-chest-form`,
  );
}

export const checkResourceListed = (target: Target): Verdict | Verdict[] | undefined =>
  wantsChest(target) && target.resource !== undefined ? checkListed(target, target.resource) : undefined;
