import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "../setup/paths.mjs";

/** @param {string} path */
const read = path => readFileSync(join(ROOT, path), "utf8");

/**
 * Writes the web console: a page, and its script, style and icon with a hash of their content in their names.
 * @returns {Promise<string[]>} what was written, below `dist`
 */
export async function writeWeb() {
  mkdirSync(join(ROOT, "dist/web/assets"), { recursive: true });
  const assets = {
    script: asset("console", "js", await script()),
    style: asset("console", "css", style()),
    icon: asset("icon", "svg", read("web/icon.svg")),
  };
  const page = Object.entries(assets).reduce(
    (html, [name, path]) => html.replace(`{${name}}`, `/${path}`),
    read("web/index.html"),
  );
  writeFileSync(join(ROOT, "dist/web/index.html"), page);
  return ["index.html", ...Object.values(assets)].map(path => `web/${path}`);
}

async function script() {
  const made = await rolldown({
    input: join(ROOT, "web/main.tsx"),
    cwd: ROOT,
    platform: "browser",
    transform: { target: "es2022" },
    onLog: (_level, log) => {
      throw new Error(`web: ${log.message}`);
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

/** Style sheets of the console, in the order in which they overrule each other. */
const STYLES = ["base", "overview", "players", "forms", "link", "chat", "sizes"];

/** One file, without comments and needless space. */
function style() {
  const sheets = ["node_modules/uplot/dist/uPlot.min.css", ...STYLES.map(name => `web/style/${name}.css`)];
  const css = sheets.map(read).join("");
  return css.replace(/\/\*.*?\*\//gs, "").replace(/\s+/g, " ");
}

/**
 * @param {string} name
 * @param {string} ending
 * @param {string} text
 * @returns {string} its path below `dist/web`
 */
function asset(name, ending, text) {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const path = `assets/${name}.${hash}.${ending}`;
  writeFileSync(join(ROOT, "dist/web", path), text);
  return path;
}
