import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { builtFiles } from "./files.mjs";
import { CLIENT, clientPackage } from "./package/client.mjs";
import { PACKS, readPrograms, sidecarFiles } from "./package/sidecar.mjs";
import { tarGz } from "./package/tar.mjs";
import { zip } from "./package/zip.mjs";
import { ROOT } from "./setup/paths.mjs";

const USAGE = `usage: npm run package -- [--out <folder>]

  --out <folder>  where the packages go (dist/packages)`;

const SUMS = "SHA256SUMS";
/** What an earlier run may have left. */
const OURS = /^((bedrock-)?web-bridge-.*\.(mcaddon|mcpack|zip|tgz|tar\.gz)|SHA256SUMS)$/;

/**
 * @param {string} line
 * @returns {undefined}
 */
function misused(line) {
  console.error(`${line}\n\n${USAGE}`);
  process.exitCode = 2;
}

/** @returns {string | undefined} the folder; nothing: the usage has been shown */
function readArguments() {
  /** @type {{ out?: string, help?: boolean }} */
  let values;
  try {
    const options = /** @type {const} */ ({
      out: { type: "string" },
      help: { type: "boolean" },
    });
    values = parseArgs({ options }).values;
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
  if (values.help) return void console.log(USAGE);
  return resolve(values.out ?? join(ROOT, "dist/packages"));
}

/** @param {string} out */
async function write(out) {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(out).filter(name => OURS.test(name))) rmSync(join(out, name));
  /** @type {string[]} */
  const sums = [];
  /** @param {string} name @param {() => Uint8Array | Promise<Uint8Array>} make */
  async function add(name, make) {
    const content = await make();
    writeFileSync(join(out, name), content);
    sums.push(`${createHash("sha256").update(content).digest("hex")}  ${name}\n`);
    console.log(`${relative(process.cwd(), join(out, name))}  ${(content.length / 1024).toFixed(1)} KB`);
  }

  await add(`web-bridge-${version}.mcaddon`, () =>
    zip(PACKS.flatMap(pack => builtFiles(pack, `web_bridge_${pack}/`))),
  );
  for (const pack of PACKS)
    await add(`web-bridge-${pack.replace("_", "-")}-${version}.mcpack`, () => zip(builtFiles(pack, "")));
  await add(`${CLIENT}-${version}.tgz`, () => tarGz(clientPackage(version)));
  const files = sidecarFiles(version, await readPrograms());
  await add(`web-bridge-sidecar-${version}-any.tar.gz`, () => tarGz(files));
  await add(`web-bridge-sidecar-${version}-any.zip`, () => zip(files));
  const byName = sums.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1));
  writeFileSync(join(out, SUMS), byName.join(""));
  console.log(relative(process.cwd(), join(out, SUMS)));
}

const out = readArguments();
if (out !== undefined) {
  try {
    if (!existsSync(join(ROOT, "dist/behavior_pack"))) throw new Error("dist is missing: run npm run build");
    await write(out);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
