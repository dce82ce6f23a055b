import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { bundleOf, entryOf } from "../entry.mjs";
import { builtFiles, filesBelow, textFile } from "../files.mjs";
import { ROOT } from "../setup/paths.mjs";
import { bundleAlone } from "./bundled.mjs";
import { noticeOf, noticesFile } from "./notices.mjs";
import { ownersPages, pageFor } from "./pages.mjs";

/** @typedef {import("../files.mjs").Entry} Entry */
/** @typedef {{ path: string } & import("./bundled.mjs").Bundled} Program */

/**
 * The folder in both archives. It has no version in its name, so that a newer archive unpacks over an older one and
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

/** @returns {Promise<Program[]>} */
export function readPrograms() {
  return Promise.all(
    PROGRAMS.map(async ({ from, path, place }) => ({ path, ...(await bundleAlone(from, place)) })),
  );
}

/**
 * Everything that an owner needs beside Node, on any system.
 * @param {string} version
 * @param {Program[]} programs
 * @returns {Entry[]}
 */
export function sidecarFiles(version, programs) {
  /** @param {string} path @param {string} text */
  const text = (path, text) => textFile(`${FOLDER}${path}`, text);
  const pages = ownersPages();
  // Containers are built from a copy of the repository.
  const recipes = filesBelow(join(ROOT, "deploy"), "deploy/", path => !path.startsWith("docker/"));
  const linked = new Set([...pages, ...recipes.map(({ path }) => path)]);
  const page = (/** @type {string} */ path) =>
    text(
      path,
      pageFor(read(path), path, to => linked.has(to)),
    );
  return [
    ...programs.flatMap(({ path, code, beside }) => [
      textFile(`${FOLDER}${path}`, entryOf(path)),
      textFile(`${FOLDER}${bundleOf(path)}`, code),
      ...beside.map(part => textFile(`${FOLDER}${posix.join(posix.dirname(path), part.path)}`, part.text)),
    ]),
    ...[...PACKS, "prove_pack", "web"].flatMap(part => builtFiles(part, `${FOLDER}dist/${part}/`)),
    textFile(`${FOLDER}package.json`, manifest(version, programs)),
    textFile(`${FOLDER}start.sh`, read("scripts/package/files/start.sh"), { executable: true }),
    textFile(`${FOLDER}start.cmd`, read("scripts/package/files/start.cmd"), { windows: true }),
    text("README.txt", read("scripts/package/files/README.txt").replaceAll("{version}", version)),
    text("LICENSE", read("LICENSE")),
    text("THIRD-PARTY-NOTICES", notices(programs)),
    ...pages.map(page),
    ...recipes.map(entry =>
      entry.path.endsWith(".md") ? page(entry.path) : { ...entry, path: `${FOLDER}${entry.path}` },
    ),
  ];
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

/** @param {Program[]} programs */
function notices(programs) {
  const inPage = ["node_modules/preact", "node_modules/uplot"];
  const bundled = [...new Set([...programs.flatMap(({ packages }) => packages), ...inPage])].sort();
  return noticesFile(bundled.map(path => noticeOf(join(ROOT, path))));
}
