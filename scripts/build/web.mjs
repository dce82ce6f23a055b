import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { bundle } from "../bundle.mjs";
import { filesBelow, textFile } from "../files.mjs";
import { ROOT } from "../paths.mjs";

/** @param {string} path */
const read = path => readFileSync(join(ROOT, path), "utf8");

/**
 * `styles`: in order, later ones override earlier ones; `ahead`: data that the page needs first, preloaded with the
 * script.
 * `parts`: modules by name that the page loads later.
 * `file` and `above`: name of the file, and path from it to the assets, if these are not beside it.
 * @typedef {{ from: string, to: string, name: string, title: string, styles: string[], ahead: string[], parts?: Record<string, string>, file?: string, above?: string }} Page
 */

/** @type {Page} */
export const CONSOLE = {
  from: "web",
  to: "web",
  name: "console",
  title: "Game server",
  styles: [
    "node_modules/uplot/dist/uPlot.min.css",
    ...[
      ...[
        "ui/common",
        "ui/base",
        "ui/panels",
        "servers/servers",
        "overview/overview",
        "players/players",
        "ui/forms",
      ],
      ...["linking/linking", "known/known", "chat/chat", "admin/admin", "ui/sizes", "ui/modes"],
    ].map(one => `web/${one}.css`),
  ],
  // With script and style no more than browsers request in parallel without HTTP/2.
  ahead: ["console.json", "status", "players"],
  parts: { plot: "node_modules/uplot/dist/uPlot.esm.js" },
};
/**
 * The page of a player who signs in to another site.
 * @type {Page}
 */
export const SIGN_IN = {
  from: "web/sign-in",
  to: "web",
  name: "sign-in",
  title: "Game server",
  styles: [
    ...["ui/common", "ui/base", "ui/forms", "linking/linking", "sign-in/sign-in"],
    ...["ui/sizes", "ui/modes"],
  ].map(one => `web/${one}.css`),
  ahead: [],
  file: "sign-in.html",
  above: "../../",
};
/**
 * Not in the archive: the demo needs the repository.
 * @type {Page}
 */
export const PANEL = {
  from: "lab/demo/page",
  to: "tools/panel",
  name: "panel",
  title: "Web Bridge demo",
  styles: [
    "web/ui/common.css",
    ...["base", "players", "site", "sidecars", "map", "chat", "form"].map(
      one => `lab/demo/page/style/${one}.css`,
    ),
  ],
  ahead: [],
};

/**
 * A page, with its script, style and icon, whose names have a hash of their content. The paths are relative, so
 * that the page can be served below any path.
 * @param {Page} page
 * @returns {Promise<import("../files.mjs").Entry[]>}
 */
export async function pageFiles({
  from,
  to,
  name,
  title,
  styles,
  ahead,
  parts = {},
  file = "index.html",
  above = "",
}) {
  const [{ code: script }, { code: style }] = await Promise.all([
    bundle(`${from}/main.tsx`, "browser"),
    transform(styles.map(read).join(""), { loader: "css", minify: true }),
  ]);
  const assets = {
    script: asset(name, "js", script),
    style: asset(name, "css", style),
    icon: asset("icon", "svg", read("web/icon.svg")),
  };
  // English is in the script. Each other language is fetched by its users.
  const texts = above === "" ? from : CONSOLE.from;
  const languages = readdirSync(join(ROOT, texts))
    .filter(name => name === "languages")
    .flatMap(folder => readdirSync(join(ROOT, texts, folder)))
    .filter(name => name !== "en_US.json")
    .map(name =>
      asset(
        name.slice(0, -".json".length),
        "json",
        JSON.stringify(JSON.parse(read(`${texts}/languages/${name}`))),
      ),
    );
  // The page's texts load before its script has.
  const inline =
    languages.length === 0
      ? ""
      : `\n    <script>${(await bundle("web/preload-language.ts", "inline")).code.trim()}</script>`;
  const later = await Promise.all(
    Object.entries(parts).map(async ([part, module]) =>
      asset(part, "js", (await bundle(module, "browser")).code),
    ),
  );
  const page = Object.entries(assets).reduce(
    (html, [key, { path }]) => html.replace(`{${key}}`, above + path),
    read("web/index.html")
      .replace("{title}", title)
      .replace(
        "{ahead}",
        ahead
          .map(path => `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${path}">`)
          .join(""),
      )
      .replace("{parts}", [...languages, ...later].map(({ path }) => above + path).join(" "))
      .replace("{inline}", () => inline)
      .replace("<title>", `${above === "" ? "" : `<meta name="service" content="${above}">\n    `}<title>`),
  );
  // Files of several pages are written once.
  const own =
    above === "" ? [...Object.values(assets), ...languages, ...later] : [assets.script, assets.style];
  return [textFile(file, page), ...own].map(inFolder(to));
}

/**
 * Pictures of the web console for link previews, bookmarks and home screens. The sidecar uses their names, so these do not
 * change. Browsers request `favicon.ico` if a page has no icon.
 */
export const pictureFiles = () =>
  filesBelow(join(ROOT, "web/pictures"), "").map(({ path, content }) => ({
    path: `${CONSOLE.to}/${path.endsWith(".ico") ? "" : "assets/"}${path}`,
    content,
  }));

/**
 * Style and script of the API page, which the sidecar generates; it uses their names, too.
 * @returns {Promise<import("../files.mjs").Entry[]>}
 */
export async function docsFiles() {
  const [{ code: script }, { code: style }] = await Promise.all([
    bundle("web/docs/main.ts", "browser"),
    transform(read("web/ui/common.css") + read("web/docs/docs.css"), { loader: "css", minify: true }),
  ]);
  return [textFile("assets/docs.js", script), textFile("assets/docs.css", style)].map(inFolder(CONSOLE.to));
}

/** @param {string} folder @returns {(file: import("../files.mjs").Entry) => import("../files.mjs").Entry} */
const inFolder = folder => file => ({ ...file, path: `${folder}/${file.path}` });

/**
 * @param {string} name
 * @param {string} ending
 * @param {string} text
 */
function asset(name, ending, text) {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return textFile(`assets/${name}.${hash}.${ending}`, text);
}
