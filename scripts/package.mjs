import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, posix, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { tarGz, zip } from "./archives.mjs";
import { PROGRAMS } from "./build.mjs";
import { bundledNode, PLATFORMS } from "./bundled-node.mjs";
import { filesBelow, textFile } from "./files.mjs";
import { LEAST } from "./least-node.mjs";
import { ROOT } from "./paths.mjs";
import { entryOf } from "./program-entry.mjs";

/** @typedef {import("./files.mjs").Entry} Entry */
/** @typedef {import("./bundled-node.mjs").BundledNode} BundledNode */

/** Archives of the sidecar: one without Node, and one with Node for each platform. */
const ARCHIVES = ["any", ...PLATFORMS];

const USAGE = `usage: npm run package -- [--out <folder>] [--only <archives>]

  --out <folder>     where the packages go (dist/packages)
  --only <archives>  only these archives of the sidecar, such as any,linux-x64; the others need the network
                     (${ARCHIVES.join(",")})`;

/** Files that an earlier run has written. */
const OURS = /^((bedrock-)?web-bridge-.*\.(mcaddon|mcpack|zip|tgz|tar\.gz)|SHA256SUMS)$/;

/** Packs of the game that have a package of their own, by their folder in `dist`. */
const PACKS = ["behavior_pack", "resource_pack"];
/** Files of the archive that Windows cannot run. */
const FOR_SH = ["web-bridge/web-bridge", "web-bridge/start.sh"];
/** Folders of `dist` in the sidecar's archive beside programs. */
const PARTS = ["lib", ...PACKS, "behavior_pack_stable", "prove_pack", "web"];
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
 * Everything that an owner needs, on any system unless Node is in it. The folder has no version in its name, so that a newer
 * archive unpacks over an older one, and configuration and data stay.
 * @param {string} version
 * @param {BundledNode} [node] without it, owners need a Node of their own
 * @returns {Entry[]}
 */
export function sidecarFiles(version, node) {
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
    ...["web-bridge", "start.sh"].map(name =>
      textFile(name, read(`scripts/package/${name}`), { executable: true }),
    ),
    ...["web-bridge.cmd", "start.cmd"].map(name =>
      textFile(name, read(`scripts/package/${name}`), { windows: true }),
    ),
    textFile("dist/web-bridge.js", read("scripts/package/web-bridge.js")),
    textFile("README.txt", readme(version, node)),
    textFile("LICENSE", read("LICENSE")),
    textFile("THIRD-PARTY-NOTICES", read("dist/THIRD-PARTY-NOTICES") + (node ? `\n${node.notice}` : "")),
    ...(node?.files ?? []),
    ...withLinks,
    textFile("docs/reference.html", reference),
  ].map(file => ({ ...file, path: `web-bridge/${file.path}` }));
}

/** @param {string} version @param {BundledNode | undefined} node */
const readme = (version, node) =>
  read("scripts/package/README.txt")
    .replaceAll("{version}", version)
    .replace(
      "{node}",
      node === undefined
        ? `You need Node ${LEAST} or later on this machine\n(https://nodejs.org) and nothing else. No compiler, no npm.`
        : `Node ${node.version} is in the folder\n"node": you need nothing else.`,
    );

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
 * An archive of the sidecar: Windows gets a zip, Linux a tar.gz, and any system one of each.
 * @param {string} version @param {string} archive
 * @returns {Promise<Record<string, Uint8Array>>}
 */
async function sidecarArchive(version, archive) {
  const isAny = archive === "any";
  const files = sidecarFiles(version, isAny ? undefined : await bundledNode(archive));
  const name = `web-bridge-sidecar-${version}-${archive}`;
  if (isAny) return { [`${name}.tar.gz`]: await tarGz(files), [`${name}.zip`]: zip(files) };
  if (!archive.startsWith("win32")) return { [`${name}.tar.gz`]: await tarGz(files) };
  // Without the file of that name PowerShell runs web-bridge.cmd for ./web-bridge, as pages write it.
  return { [`${name}.zip`]: zip(files.filter(({ path }) => !FOR_SH.includes(path))) };
}

/**
 * Writes packages and the file with their hashes.
 * @param {string} out
 * @param {string[]} archives those of the sidecar
 */
async function write(out, archives) {
  const { version } = JSON.parse(read("package.json"));
  /** @type {Record<string, Uint8Array>} */
  const packages = {
    [`${CLIENT}-${version}.tgz`]: await tarGz(clientPackage(version)),
    [`web-bridge-${version}.mcaddon`]: zip(PACKS.flatMap(pack => built(pack, `web_bridge_${pack}/`))),
    ...Object.fromEntries(
      PACKS.map(pack => [`web-bridge-${pack.replace("_", "-")}-${version}.mcpack`, zip(built(pack, ""))]),
    ),
  };
  for (const archive of archives) Object.assign(packages, await sidecarArchive(version, archive));
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
    const { values } = parseArgs({
      options: { out: { type: "string" }, only: { type: "string" }, help: { type: "boolean" } },
    });
    const archives = values.only?.split(",") ?? ARCHIVES;
    if (values.help) console.log(USAGE);
    else if (!archives.every(archive => ARCHIVES.includes(archive))) {
      console.error(`--only: expected some of ${ARCHIVES.join(",")}\n\n${USAGE}`);
      process.exitCode = 2;
    } else await write(resolve(values.out ?? join(ROOT, "dist/packages")), archives);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const isMisused = code?.startsWith("ERR_PARSE_ARGS");
    console.error(isMisused ? `${message}\n\n${USAGE}` : message);
    process.exitCode = isMisused ? 2 : 1;
  }
}
