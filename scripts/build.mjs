import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stop } from "esbuild";
import { clientFiles } from "./build/client.mjs";
import { packFiles, proveScripts } from "./build/packs.mjs";
import { CONSOLE, docsFiles, PANEL, pageFiles, pictureFiles, SIGN_IN } from "./build/web.mjs";
import { bundle, bundlePrograms } from "./bundle.mjs";
import { publish, textFile } from "./files.mjs";
import { noticesOf } from "./notices.mjs";
import { ROOT } from "./paths.mjs";
import { entryOf } from "./program-entry.mjs";

/** Programs for owners, by their place in `dist`. All of them are in the archive. */
export const PROGRAMS = {
  "sidecar/main": "sidecar/main.ts",
  "tools/setup": "owner/setup/main.ts",
  "tools/doctor": "owner/doctor/main.ts",
  "tools/launch": "owner/launch/main.ts",
  "tools/key": "owner/admin/key.ts",
  "tools/config": "owner/admin/config.ts",
  "tools/audit": "owner/admin/audit.ts",
  "tools/players": "owner/admin/players.ts",
  "tools/hook": "owner/admin/hook.ts",
  "tools/prove": "prove/main.ts",
};

/** Programs for developers, who run them in a copy of the repository. */
const TOOLS = {
  "tools/reference": "lab/reference/main.ts",
  "tools/demo": "lab/demo/main.ts",
  "tools/bench": "lab/bench/main.ts",
  "tools/chaos": "lab/chaos/main.ts",
  "tools/stand-in": "lab/stand-in/main.ts",
};

/** Packages in the web pages, beside those in the programs. */
const IN_PAGES = ["node_modules/preact", "node_modules/uplot"];

/**
 * Builds everything into `dist`; unchanged files are not touched.
 * @throws when something cannot be built; `dist` is unchanged then
 */
export async function build() {
  try {
    const parts = await Promise.all([
      packFiles(),
      proveScripts(),
      guest(),
      programFiles(),
      ...Object.entries(TOOLS).map(([to, from]) => toolFiles(to, from)),
      clientFiles(),
      pageFiles(CONSOLE),
      pageFiles(SIGN_IN),
      pageFiles(PANEL),
      pictureFiles(),
      docsFiles(),
    ]);
    publish(join(ROOT, "dist"), parts.flat());
  } finally {
    await stop();
  }
}

async function guest() {
  return textFile("simulator/guest.js", (await bundle("lab/simulator/guest/main.ts", "guest")).code);
}

const { "sidecar/main": sidecar, ...tools } = PROGRAMS;

/**
 * Sources of the owners' programs by the place of their bundles, beside their entry files. The sidecar, a long-running
 * process, has its own bundle, so that packages that only the others need do not use its memory.
 */
export const BUNDLES = {
  sidecar: { "sidecar/main.program": sidecar },
  tools: Object.fromEntries(Object.entries(tools).map(([to, from]) => [`${to}.program`, from])),
};

async function programFiles() {
  const bundles = await Promise.all(Object.values(BUNDLES).map(bundlePrograms));
  const packages = new Set([...bundles.flatMap(({ packages }) => packages), ...IN_PAGES]);
  const notices = noticesOf([...packages].sort().map(path => join(ROOT, path)));
  const files = new Map(bundles.flatMap(({ files }) => files.map(file => [file.path, file])));
  return [
    ...files.values(),
    ...Object.keys(PROGRAMS).map(entryFile),
    textFile("THIRD-PARTY-NOTICES", notices),
  ];
}

/** @param {string} to */
const entryFile = to => textFile(`${to}.js`, entryOf(`./${to.split("/").at(-1)}.program.js`));

/** @param {string} to @param {string} from */
async function toolFiles(to, from) {
  const { code, map } = await bundle(from, "node");
  const program = `${to}.program.js`;
  const link = `//# sourceMappingURL=${program.split("/").at(-1)}.map\n`;
  return [entryFile(to), textFile(program, code + link), textFile(`${program}.map`, map)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
  if (!process.argv.includes("--quiet"))
    console.log(`built dist in ${(performance.now() / 1000).toFixed(1)} s`);
}
