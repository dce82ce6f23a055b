import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "../setup/paths.mjs";

/** @param {string} path */
const read = path => readFileSync(join(ROOT, path), "utf8");

/**
 * `styles`: in the order in which they overrule each other.
 * @typedef {{ from: string, to: string, name: string, styles: string[] }} Page
 */

/** @type {Page} */
const CONSOLE = {
  from: "web",
  to: "web",
  name: "console",
  styles: [
    "node_modules/uplot/dist/uPlot.min.css",
    ...["common", "base", "overview", "players", "forms", "link", "chat", "sizes"].map(
      one => `web/style/${one}.css`,
    ),
  ],
};
/**
 * In no archive: the demo needs the repository.
 * @type {Page}
 */
const PANEL = {
  from: "demo/page",
  to: "tools/panel",
  name: "panel",
  styles: [
    "web/style/common.css",
    ...["base", "players", "site", "map", "chat", "form", "sizes"].map(one => `demo/page/style/${one}.css`),
  ],
};

/**
 * Writes the web console and the panel of the demo.
 * @returns {Promise<string[]>} what was written, below `dist`
 */
export async function writeWeb() {
  return [...(await writePage(CONSOLE)), ...(await writePage(PANEL))];
}

/**
 * Writes a page, and its script, style and icon with a hash of their content in their names.
 * @param {Page} page
 * @returns {Promise<string[]>} what was written, below `dist`
 */
async function writePage({ from, to, name, styles }) {
  mkdirSync(join(ROOT, "dist", to, "assets"), { recursive: true });
  const assets = {
    script: asset(to, name, "js", await script(from)),
    style: asset(to, name, "css", style(styles)),
    icon: asset(to, "icon", "svg", read("web/icon.svg")),
  };
  const page = Object.entries(assets).reduce(
    (html, [key, path]) => html.replace(`{${key}}`, `/${path}`),
    read(`${from}/index.html`),
  );
  writeFileSync(join(ROOT, "dist", to, "index.html"), page);
  return ["index.html", ...Object.values(assets)].map(path => `${to}/${path}`);
}

/** @param {string} from */
async function script(from) {
  const made = await rolldown({
    input: join(ROOT, from, "main.tsx"),
    cwd: ROOT,
    platform: "browser",
    transform: { target: "es2022" },
    onLog: (_level, log) => {
      throw new Error(`${from}: ${log.message}`);
    },
  });
  const { output } = await made.generate({
    format: "esm",
    minify: true,
    codeSplitting: false,
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await made.close();
  return output[0].code;
}

/**
 * One file, without comments and needless space.
 * @param {string[]} paths
 */
function style(paths) {
  return paths
    .map(read)
    .join("")
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, " ");
}

/**
 * @param {string} to folder below `dist`
 * @param {string} name
 * @param {string} ending
 * @param {string} text
 * @returns {string} its path below that folder
 */
function asset(to, name, ending, text) {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const path = `assets/${name}.${hash}.${ending}`;
  writeFileSync(join(ROOT, "dist", to, path), text);
  return path;
}
