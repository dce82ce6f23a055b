import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stop } from "esbuild";
import { clientFiles } from "./build/client.mjs";
import { packFiles, provePackFiles } from "./build/packs.mjs";
import { publish } from "./build/publish.mjs";
import { CONSOLE, docsFiles, PANEL, pageFiles, pictureFiles, SIGN_IN } from "./build/web.mjs";
import { bundle } from "./bundle.mjs";
import { bundleOf, entryOf } from "./entry.mjs";
import { textFile } from "./files.mjs";
import { ROOT } from "./setup/paths.mjs";

/** Programs for Node by their place in `dist`, besides the sidecar. */
const PROGRAMS = {
  "tools/setup.js": "owner/setup/main.ts",
  "tools/doctor.js": "owner/doctor/main.ts",
  "tools/key.js": "owner/admin/key.ts",
  "tools/config.js": "owner/admin/config.ts",
  "tools/audit.js": "owner/admin/audit.ts",
  "tools/players.js": "owner/admin/players.ts",
  "tools/hook.js": "owner/admin/hook.ts",
  "tools/prove.js": "owner/prove/main.ts",
  "tools/proofs.js": "lab/proofs/main.ts",
  "tools/reference.js": "lab/reference/main.ts",
  "tools/demo.js": "lab/demo/main.ts",
  "tools/bench.js": "lab/bench/main.ts",
  "tools/plan.js": "lab/bench/plan/main.ts",
  "tools/chaos.js": "lab/chaos/main.ts",
  "tools/fuzz.js": "lab/fuzz/main.ts",
  "tools/stand-in.js": "lab/stand-in/main.ts",
};

/**
 * Builds everything into `dist`; what is there already stays untouched.
 * @throws when something cannot be built; `dist` is as it was then
 */
export async function build() {
  try {
    const parts = await Promise.all([
      packFiles(),
      provePackFiles(),
      guest(),
      bareScript(),
      program("sidecar/main.ts", "sidecar/main.js", "service"),
      ...Object.entries(PROGRAMS).map(([to, from]) => program(from, to)),
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

/** What the pack is measured beside. */
async function bareScript() {
  return textFile("tools/script.js", (await bundle("lab/bench/script/main.ts", "game")).code);
}

/** @param {string} from @param {string} to @param {"node" | "service"} [place] */
async function program(from, to, place = "node") {
  const body = bundleOf(to);
  const { code, map = "", beside } = await bundle(from, place, `dist/${body}`);
  return [
    textFile(to, entryOf(to)),
    textFile(body, code),
    textFile(`${body}.map`, map),
    ...beside.map(({ path, text }) => textFile(`${dirname(to)}/${path}`, text)),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
  console.log(`built dist in ${(performance.now() / 1000).toFixed(1)} s`);
}
