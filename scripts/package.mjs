import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, posix, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { tarGz, zip } from "./archives.mjs";
import { PROGRAMS } from "./build.mjs";
import { filesBelow, textFile } from "./files.mjs";
import { ROOT } from "./paths.mjs";
import { entryOf } from "./program-entry.mjs";

/** @typedef {import("./files.mjs").Entry} Entry */

const USAGE = `usage: npm run package -- [--out <folder>]

  --out <folder>  where the packages go (dist/packages)`;

/** Files that an earlier run has written. */
const OURS = /^((bedrock-)?web-bridge-.*\.(mcaddon|mcpack|zip|tgz|tar\.gz)|SHA256SUMS)$/;

/** Packs of the game, by their folder in `dist`. */
const PACKS = ["behavior_pack", "resource_pack"];
/** Folders of `dist` in the sidecar's archive beside programs. */
const PARTS = ["lib", ...PACKS, "prove_pack", "web"];
/** Development programs are beside those of owners. */
const isOwners = (/** @type {string} */ path) =>
  path.endsWith(".js") && path.replace(/(\.program)?\.js$/, "") in PROGRAMS;
/** Source maps are only in a build. */
const isNoMap = (/** @type {string} */ path) => !path.endsWith(".map");

/** The name of the package for npm. */
const CLIENT = "bedrock-web-bridge-client";

/** @param {string} path */
const read = path => readFileSync(join(ROOT, path), "utf8");
/** @param {string} part folder of `dist` @param {string} place */
const built = (part, place) => filesBelow(join(ROOT, "dist", part), place, isNoMap);
/** @param {unknown} value */
const json = value => `${JSON.stringify(value, undefined, 2)}\n`;

/**
 * Everything that an owner needs besides Node, on any system. The folder has no version in its name, so that a newer archive
 * unpacks over an older one, and configuration and data stay.
 * @param {string} version
 * @returns {Entry[]}
 */
export function sidecarFiles(version) {
  const { name, description, license, type, engines } = JSON.parse(read("package.json"));
  const commands = Object.keys(PROGRAMS).map(program => posix.basename(program));
  const scripts = Object.fromEntries(
    commands.map(name =>
      name === "main" ? ["start", "node main.js"] : [name, `node dist/tools/${name}.js`],
    ),
  );
  const documents = [
    ...["SECURITY.md", "CHANGELOG.md"].map(file => textFile(file, read(file))),
    ...filesBelow(join(ROOT, "docs"), "docs/", path => /\.(md|html|mjs)$/.test(path)),
    // Containers are built from a copy of the repository.
    ...filesBelow(join(ROOT, "deploy"), "deploy/", path => !path.startsWith("docker/")),
  ];
  const paths = new Set(documents.map(({ path }) => path));
  const withLinks = documents.map(file =>
    file.path.endsWith(".md")
      ? textFile(
          file.path,
          pageFor(`${file.content}`, file.path, to => paths.has(to)),
        )
      : file,
  );
  const reference = execFileSync(process.execPath, [join(ROOT, "dist/tools/reference.js")], {
    encoding: "utf8",
  });
  return [
    textFile("main.js", entryOf("./dist/sidecar/main.program.js")),
    ...filesBelow(join(ROOT, "dist"), "dist/", isOwners),
    ...PARTS.flatMap(part => built(part, `dist/${part}/`)),
    textFile(
      "package.json",
      json({ name, version, description, license, type, private: true, engines, scripts }),
    ),
    textFile("start.sh", read("scripts/package/start.sh"), { executable: true }),
    textFile("start.cmd", read("scripts/package/start.cmd"), { windows: true }),
    textFile("README.txt", read("scripts/package/README.txt").replaceAll("{version}", version)),
    textFile("LICENSE", read("LICENSE")),
    textFile("THIRD-PARTY-NOTICES", read("dist/THIRD-PARTY-NOTICES")),
    ...withLinks,
    textFile("docs/reference.html", reference),
  ].map(file => ({ ...file, path: `web-bridge/${file.path}` }));
}

/** A link or picture of a page. */
const LINK = /!?\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;
/** A row of a table whose last cell is a link and nothing else. */
const ROW_OF_LINK = /^\|.*\| *\[[^\]]*\]\(([^()\s]+)\) *\|\n/gm;

/**
 * A page for an archive: rows that only lead to a file that is not in it are left out, and other links to such files become
 * plain text.
 * @param {string} text
 * @param {string} path of the page, from the archive's folder on
 * @param {(path: string) => boolean} isThere
 */
export function pageFor(text, path, isThere) {
  const leadsOut = (/** @type {string} */ to) =>
    !/^([a-z]+:|#)/.test(to) && !isThere(posix.join(posix.dirname(path), to.replace(/#.*$/, "")));
  return text
    .replace(ROW_OF_LINK, (row, to) => (leadsOut(to) ? "" : row))
    .replace(LINK, (link, words, to) => (leadsOut(to) ? words : link));
}

/**
 * The client as a package for npm.
 * @param {string} version
 * @returns {Entry[]}
 */
export function clientPackage(version) {
  const { license, engines } = JSON.parse(read("package.json"));
  const manifest = {
    name: CLIENT,
    version,
    description: "Client for the web interface of a bridge to a Minecraft Bedrock Dedicated Server",
    license,
    type: "module",
    sideEffects: false,
    engines,
    exports: {
      ".": { types: "./index.d.ts", default: "./index.js" },
      "./package.json": "./package.json",
    },
  };
  return [
    textFile("package/package.json", json(manifest)),
    textFile("package/README.md", read("client/README.md").replaceAll("{version}", version)),
    textFile("package/LICENSE", read("LICENSE")),
    ...built("client", "package/"),
  ];
}

/**
 * Writes all packages and the file with their hashes.
 * @param {string} out
 */
async function write(out) {
  const { version } = JSON.parse(read("package.json"));
  const files = sidecarFiles(version);
  const archive = `web-bridge-sidecar-${version}-any`;
  /** @type {Record<string, Uint8Array>} */
  const packages = {
    [`${CLIENT}-${version}.tgz`]: await tarGz(clientPackage(version)),
    [`web-bridge-${version}.mcaddon`]: zip(PACKS.flatMap(pack => built(pack, `web_bridge_${pack}/`))),
    ...Object.fromEntries(
      PACKS.map(pack => [`web-bridge-${pack.replace("_", "-")}-${version}.mcpack`, zip(built(pack, ""))]),
    ),
    [`${archive}.tar.gz`]: await tarGz(files),
    [`${archive}.zip`]: zip(files),
  };
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(out).filter(name => OURS.test(name))) rmSync(join(out, name));
  const sums = Object.entries(packages)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, content]) => {
      writeFileSync(join(out, name), content);
      console.log(`${relative(process.cwd(), join(out, name))}  ${(content.length / 1024).toFixed(1)} KB`);
      return `${createHash("sha256").update(content).digest("hex")}  ${name}\n`;
    });
  writeFileSync(join(out, "SHA256SUMS"), sums.join(""));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { values } = parseArgs({ options: { out: { type: "string" }, help: { type: "boolean" } } });
    if (values.help) console.log(USAGE);
    else await write(resolve(values.out ?? join(ROOT, "dist/packages")));
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const isMisused = code?.startsWith("ERR_PARSE_ARGS");
    console.error(isMisused ? `${message}\n\n${USAGE}` : message);
    process.exitCode = isMisused ? 2 : 1;
  }
}
