import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { builtFiles, filesBelow, textFile } from "../files.mjs";
import { ROOT } from "../setup/paths.mjs";
import { bundleAlone } from "./bundled.mjs";
import { nativeFiles, neededBy } from "./native.mjs";
import { noticeOf, noticesFile } from "./notices.mjs";
import { ownersPages, pageFor } from "./pages.mjs";

/** @typedef {import("../files.mjs").Entry} Entry */
/** @typedef {{ path: string } & import("./bundled.mjs").Bundled} Program */

/**
 * The folder in every archive. It has no version in its name, so that a newer archive unpacks over an older one and
 * the configuration and the data stay where they are.
 */
const FOLDER = "web-bridge/";

/** Packs of the game, by their folder in `dist`. */
export const PACKS = ["behavior_pack", "resource_pack"];

/**
 * Programs of an archive by their source.
 * @type {{ from: string, path: string, place?: "service" }[]}
 */
const PROGRAMS = [
  { from: "sidecar/main.ts", path: "main.js", place: "service" },
  { from: "owner/setup/main.ts", path: "dist/tools/setup.js" },
  { from: "owner/doctor/main.ts", path: "dist/tools/doctor.js" },
  { from: "owner/admin/key.ts", path: "dist/tools/key.js" },
  { from: "owner/admin/config.ts", path: "dist/tools/config.js" },
  { from: "owner/admin/audit.ts", path: "dist/tools/audit.js" },
  { from: "owner/admin/players.ts", path: "dist/tools/players.js" },
  { from: "owner/admin/hook.ts", path: "dist/tools/hook.js" },
  { from: "owner/prove/main.ts", path: "dist/tools/prove.js" },
];

/** @param {string} path */
const read = path => readFileSync(join(ROOT, path), "utf8");

/**
 * Bundles the programs, which are the same on every platform.
 * @returns {Promise<Program[]>}
 */
export function readPrograms() {
  return Promise.all(
    PROGRAMS.map(async ({ from, path, place }) => ({ path, ...(await bundleAlone(from, place)) })),
  );
}

/**
 * Everything that an owner needs beside Node, for one platform.
 * @param {string} platform
 * @param {string} version
 * @param {Program[]} programs
 * @returns {Promise<Entry[]>}
 */
export async function sidecarFiles(platform, version, programs) {
  const native = await nativeFiles(platform);
  const windows = platform.startsWith("win32");
  /** @param {string} path @param {string} text */
  const text = (path, text) => textFile(`${FOLDER}${path}`, text, { windows });
  const pages = ownersPages();
  const recipes = filesBelow(join(ROOT, "deploy"), "deploy/", path => belongsTo(path, windows));
  const linked = new Set([...pages, ...recipes.map(({ path }) => path)]);
  const page = (/** @type {string} */ path) =>
    text(
      path,
      pageFor(read(path), path, to => linked.has(to)),
    );
  return [
    ...programs.flatMap(({ path, code, beside }) => [
      textFile(`${FOLDER}${path}`, code),
      ...beside.map(part => textFile(`${FOLDER}${posix.join(posix.dirname(path), part.path)}`, part.text)),
    ]),
    ...[...PACKS, "prove_pack", "web"].flatMap(part => builtFiles(part, `${FOLDER}dist/${part}/`)),
    ...native.map(entry => ({ ...entry, path: `${FOLDER}${entry.path}` })),
    textFile(`${FOLDER}package.json`, manifest(version, programs)),
    starter(windows),
    text("README.txt", read("scripts/package/files/README.txt").replaceAll("{version}", version)),
    text("LICENSE", read("LICENSE")),
    text("THIRD-PARTY-NOTICES", notices(platform, programs)),
    ...pages.map(page),
    ...recipes.map(entry =>
      entry.path.endsWith(".md") ? page(entry.path) : { ...entry, path: `${FOLDER}${entry.path}` },
    ),
  ];
}

/**
 * Recipes for containers are made from a copy of the repository; the others fit one kind of machine or both.
 * @param {string} path
 * @param {boolean} windows
 */
function belongsTo(path, windows) {
  if (path.startsWith("docker/")) return false;
  return !path.startsWith(windows ? "systemd/" : "windows/");
}

/** @param {boolean} windows */
function starter(windows) {
  return windows
    ? textFile(`${FOLDER}start.cmd`, read("scripts/package/files/start.cmd"), { windows })
    : textFile(`${FOLDER}start.sh`, read("scripts/package/files/start.sh"), { executable: true });
}

/**
 * The same commands work as in the repository.
 * @param {string} version
 * @param {Program[]} programs
 */
function manifest(version, programs) {
  const { name, description, license, type, engines } = JSON.parse(read("package.json"));
  const commands = programs.map(({ path }) => [/(\w+)\.js$/.exec(path)?.[1] ?? path, `node ${path}`]);
  const scripts = Object.fromEntries(commands.map(([tool, run]) => [tool === "main" ? "start" : tool, run]));
  return `${JSON.stringify({ name, version, description, license, type, private: true, engines, scripts }, undefined, 2)}\n`;
}

/**
 * @param {string} platform
 * @param {Program[]} programs
 */
function notices(platform, programs) {
  const locked = JSON.parse(read("package-lock.json")).packages;
  const native = Object.entries(neededBy(platform, locked)).map(([path, { version }]) => {
    const folder = join(ROOT, path);
    if (existsSync(folder)) return noticeOf(folder);
    return { name: path.replace("node_modules/", ""), version, license: locked[path].license, texts: [] };
  });
  const inPage = ["node_modules/preact", "node_modules/uplot"];
  const bundled = [...new Set([...programs.flatMap(({ packages }) => packages), ...inPage])].sort();
  return noticesFile([...bundled.map(path => noticeOf(join(ROOT, path))), ...native]);
}
