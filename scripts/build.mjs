import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { rolldown } from "rolldown";
import { writeClient } from "./build/client.mjs";
import { writeWeb } from "./build/web.mjs";
import { markBuilt } from "./setup/freshness.mjs";
import { langFiles, readLanguages } from "./setup/languages.mjs";
import { stampManifest } from "./setup/manifest.mjs";
import { ROOT } from "./setup/paths.mjs";

/** Largest script of the pack, in bytes: the engine reads it while the world loads. */
const PACK_BYTES = 72 * 1024;

/** @typedef {{ from: string, to: string, target: string, maps: boolean, external: (id: string) => boolean, maxBytes?: number, notYet?: boolean }} Bundle */

/** @param {string} id */
const isModuleOfEngine = id => id.startsWith("@minecraft/");
/** @param {string} id */
const isPackage = id => !id.startsWith(".") && !isAbsolute(id);
const inNode = { target: "node20.19", maps: true, external: isPackage };

/**
 * One file each. `notYet`: left out, with a line saying so, while the entry does not exist.
 * @type {Bundle[]}
 */
const BUNDLES = [
  {
    from: "behavior_pack/main.ts",
    to: "behavior_pack/scripts/main.js",
    target: "es2020",
    maps: false,
    external: isModuleOfEngine,
    maxBytes: PACK_BYTES,
  },
  { from: "sidecar/main.ts", to: "sidecar/main.js", ...inNode },
  {
    from: "simulator/guest/main.ts",
    to: "simulator/guest.js",
    target: "es2020",
    maps: false,
    external: () => false,
  },
  { from: "setup/main.ts", to: "tools/setup.js", ...inNode },
  { from: "doctor/main.ts", to: "tools/doctor.js", ...inNode },
  { from: "reference/main.ts", to: "tools/reference.js", ...inNode },
  { from: "demo/main.ts", to: "tools/demo.js", ...inNode },
  { from: "bench/main.ts", to: "tools/bench.js", ...inNode, notYet: true },
];

/** @type {string[]} */
const outputs = [];

/**
 * @param {Bundle} bundle
 * @returns {Promise<void>}
 */
async function write({ from, to, target, maps, external, maxBytes, notYet }) {
  if (notYet === true && !existsSync(join(ROOT, from)))
    return console.log(`left out: ${from} does not exist yet`);
  const made = await rolldown({
    input: join(ROOT, from),
    cwd: ROOT,
    external: (id, _importer, resolved) => !resolved && external(id),
    platform: maps ? "node" : "neutral",
    transform: { target },
    // The pack has to stay small; line numbers of its errors are found in the file itself.
    experimental: { attachDebugInfo: maxBytes === undefined ? "simple" : "none" },
    // A name that cannot be found would otherwise only fail when the product runs.
    onLog: (_level, log) => {
      throw new Error(`${from}: ${log.message}`);
    },
  });
  const { output } = await made.write({
    file: join(ROOT, "dist", to),
    format: "esm",
    minify: false,
    codeSplitting: false,
    sourcemap: maps,
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await made.close();
  const foreign = output
    .flatMap(part => (part.type === "chunk" ? part.imports : []))
    .filter(id => !external(id));
  if (foreign.length > 0) throw new Error(`${from} may not import ${foreign.join(", ")}`);
  const bytes = report(to);
  if (maxBytes !== undefined && bytes > maxBytes)
    throw new Error(`dist/${to} has ${bytes} bytes, more than the ${maxBytes} allowed`);
}

function writePackFiles() {
  writeManifest("manifest.json", "behavior_pack");
  copyFiles("behavior_pack", ["pack_icon.png", "texts"]);
  writeManifest("resource_pack/manifest.json", "resource_pack");
  copyFiles("resource_pack", ["pack_icon.png", "ui"]);
  for (const [name, text] of Object.entries(langFiles(readLanguages()))) {
    put(`resource_pack/texts/${name}`, text);
    report(`resource_pack/texts/${name}`);
  }
}

/**
 * @param {string} from
 * @param {string} pack folder below `dist`
 */
function writeManifest(from, pack) {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const manifest = stampManifest(JSON.parse(readFileSync(join(ROOT, from), "utf8")), version);
  put(`${pack}/manifest.json`, `${JSON.stringify(manifest, undefined, 2)}\n`);
  report(`${pack}/manifest.json`);
}

/**
 * Files of a pack that are taken as they are, where they exist.
 * @param {string} pack
 * @param {string[]} names
 */
function copyFiles(pack, names) {
  for (const name of names) {
    if (!existsSync(join(ROOT, pack, name))) continue;
    cpSync(join(ROOT, pack, name), join(ROOT, "dist", pack, name), { recursive: true });
    report(`${pack}/${name}`);
  }
}

/**
 * @param {string} path below `dist`
 * @param {string} text
 */
function put(path, text) {
  const target = join(ROOT, "dist", path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

/**
 * @param {string} path below `dist`
 * @returns {number} its size in bytes
 */
function report(path) {
  const { size } = statSync(join(ROOT, "dist", path));
  outputs.push(`dist/${path}`);
  console.log(`dist/${path}  ${(size / 1024).toFixed(1)} KB`);
  return size;
}

rmSync(join(ROOT, "dist"), { recursive: true, force: true });
mkdirSync(join(ROOT, "dist"));
try {
  writePackFiles();
  for (const bundle of BUNDLES) await write(bundle);
  for (const path of await writeClient()) report(path);
  for (const path of await writeWeb()) report(path);
  markBuilt(outputs);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
