import { join, relative } from "node:path";
import { isFault } from "../bds/fault.ts";
import { type Files, sameBytes } from "../bds/files.ts";
import {
  type InstalledPack,
  installedPacks,
  MANIFEST,
  packFolders,
  packIn,
  packsOf,
  readText,
} from "../bds/folder.ts";
import { isSame } from "../bds/json-text.ts";
import { showVersion } from "../bds/manifest.ts";
import {
  differingModules,
  type Pins,
  pinsIn,
  saysTheSame,
  showPins,
  withPins,
} from "../bds/module-versions.ts";
import { readPackList } from "../bds/pack-list.ts";
import { type Finding, mendOfFile, note, ok, problem, skipped } from "./finding.ts";
import { filesBelow, type Product, type Target } from "./target.ts";

const PREFIX = { behavior: "pack", resource: "resource-pack" };
const WORD = { behavior: "behavior pack", resource: "resource pack" };

/** Whether a pack of this build is installed as it was built, and on the world's list. */
export function checkPack(target: Target, product: Product): Finding[] {
  return [...checkInstalled(target, product), ...passedOver(target, product), ...checkList(target, product)];
}

function checkInstalled(target: Target, product: Product): Finding[] {
  const { server, around, setup } = target;
  const { kind, manifest } = product;
  const [id, word] = [PREFIX[kind], WORD[kind]];
  const found = packsOf(server, kind, manifest.uuid, around.files);
  const [pack, ...others] = found;
  const broken = brokenPack(target, product);
  if (broken !== undefined)
    return [problem(`${id}-manifest`, broken.what, `delete the folder ${broken.folder}, then: ${setup}`)];
  if (pack === undefined)
    return [problem(`${id}-installed`, `the ${word} is not in ${kind}_packs of ${server.root}`, setup)];
  if (others.length > 0) {
    const places = found.map(({ folder }) => relative(server.root, folder)).join(", ");
    return [problem(`${id}-once`, `the ${word} is installed ${found.length} times: ${places}`, setup)];
  }
  const place = relative(server.root, pack.folder);
  const once = ok(`${id}-installed`, `the ${word} is installed once, in ${place}`);
  const version = showVersion(pack.manifest.version);
  const wanted = showVersion(manifest.version);
  if (version !== wanted) {
    const what = `the ${word} in ${place} has version ${version}, and the sidecar's is ${wanted}`;
    return [
      once,
      problem(`${id}-version`, what, setup),
      skipped(`${id}-files`, `files of the ${word}: another version`),
    ];
  }
  return [
    once,
    ok(`${id}-version`, `the ${word} has version ${version}`),
    ...checkFiles(target, product, pack),
  ];
}

function checkFiles(
  { server, around, setup }: Target,
  product: Product,
  { folder, manifest }: InstalledPack,
): Finding[] {
  const { files } = around;
  const [id, word] = [PREFIX[product.kind], WORD[product.kind]];
  const place = relative(server.root, folder);
  const names = filesBelow(product.folder, files);
  const bytesOf = (path: string) => (files.kindOf(path) === "file" ? files.read(path) : undefined);
  const differs = (name: string): boolean =>
    !sameBytes(bytesOf(join(folder, name)), bytesOf(join(product.folder, name)));
  const pins = pinsIn(manifest, product.manifest);
  const wrong = names.find(
    name => differs(name) && !(name === MANIFEST && isPinned(folder, product, pins, files)),
  );
  if (wrong === MANIFEST) {
    const [module] = differingModules(manifest, product.manifest).filter(({ id }) => !pins.has(id));
    if (module !== undefined) {
      const what = `${wrong} in ${place} asks for ${module.id} ${module.version}, expected ${module.wanted}`;
      return [problem(`${id}-manifest`, what, setup)];
    }
  }
  if (wrong !== undefined) {
    const isThere = files.kindOf(join(folder, wrong)) === "file";
    const what = isThere
      ? `${wrong} in ${place} is not the one of this build`
      : `${wrong} is missing in ${place}`;
    return [problem(wrong === MANIFEST ? `${id}-manifest` : `${id}-files`, what, setup)];
  }
  const fine = ok(`${id}-files`, `the files of the ${word} are those of this build`);
  if (pins.size === 0) return [fine];
  const what = `${MANIFEST} in ${place} asks for ${showPins(pins)}, this build for beta: right for a game that refuses beta (docs/after-an-update.md), and setup keeps it; to go back: ${setup} --module-versions beta`;
  return [fine, note("module-versions", what)];
}

/** Whether a manifest differs from the built one in nothing but versions that somebody has chosen. */
function isPinned(folder: string, product: Product, pins: Pins, files: Files): boolean {
  const [is, built] = [folder, product.folder].map(place => readText(join(place, MANIFEST), files));
  if (pins.size === 0 || is === undefined || built === undefined || isFault(is) || isFault(built))
    return false;
  const wanted = withPins(built.text, product.manifest, pins);
  return !isFault(wanted) && saysTheSame(is.text, wanted.text);
}

/** Names the first pack of others whose manifest cannot be read: the pack could be ours, too. */
function passedOver(target: Target, product: Product): Finding[] {
  const { server, around } = target;
  const lines: string[] = [];
  installedPacks(server, product.kind, around.files, line => lines.push(line));
  const own = brokenPack(target, product)?.what;
  const [first, ...more] = lines.filter(line => line !== own);
  if (first === undefined) return [];
  const others = more.length === 0 ? "" : `, and so are ${more.length} more`;
  return [note(`${PREFIX[product.kind]}-passed-over`, `${first}: that pack is passed over${others}`)];
}

/** A folder of ours whose manifest cannot be read: by its name, or by the uuid that is in it still. */
function brokenPack(
  { server, around: { files } }: Target,
  { kind, manifest }: Product,
): { folder: string; what: string } | undefined {
  for (const place of packFolders(server, kind))
    for (const name of files.list(place)) {
      const folder = join(place, name);
      if (
        files.kindOf(folder) !== "folder" ||
        !(name === "web_bridge" || mentions(folder, manifest.uuid, files))
      )
        continue;
      const pack = packIn(folder, files);
      if (pack !== undefined && !isFault(pack)) continue;
      const why = pack === undefined ? "it is missing" : pack.fault;
      return { folder, what: `${join(folder, MANIFEST)}: ${why}` };
    }
  return undefined;
}

function mentions(folder: string, uuid: string, files: Files): boolean {
  const text = readText(join(folder, MANIFEST), files);
  return text !== undefined && "text" in text && text.text.toLowerCase().includes(uuid);
}

function checkList({ server, around, setup }: Target, { kind, manifest }: Product): Finding[] {
  const [id, word] = [PREFIX[kind], WORD[kind]];
  const path = server.world.lists[kind];
  const name = `world_${kind}_packs.json`;
  const text = readText(path, around.files);
  const list = isFault(text) ? text : readPackList(text?.text);
  if (isFault(list)) return [problem(`${id}-list`, `${path}: ${list.fault}`, mendOfFile(list, setup))];
  const entries = list.entries.filter(entry => entry.id === manifest.uuid);
  const [entry] = entries;
  if (entry === undefined && list.unversioned.includes(manifest.uuid)) {
    const what = `${name} lists the ${word} without a version, expected ${JSON.stringify(manifest.version)} as in its manifest`;
    return [problem(`${id}-listed-version`, what, setup)];
  }
  if (entry === undefined)
    return [problem(`${id}-listed`, `the ${word} is not listed in ${name} of the world`, setup)];
  if (entries.length > 1)
    return [problem(`${id}-listed-once`, `the ${word} is listed ${entries.length} times in ${name}`, setup)];
  if (!isSame(entry.version, manifest.version)) {
    const what = `${name} lists version ${JSON.stringify(entry.version)} of the ${word}, expected ${JSON.stringify(manifest.version)} as in its manifest`;
    return [problem(`${id}-listed-version`, what, setup)];
  }
  return [ok(`${id}-listed`, `the ${word} is listed once in ${name}, with its version`)];
}
