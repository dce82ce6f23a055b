import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { LEAST } from "./least-node.mjs";
import { ROOT } from "./paths.mjs";

/**
 * Bundles only the English texts that the pack needs without a sidecar; the sidecar sends the others.
 * @type {import("esbuild").Plugin}
 */
const offlineTexts = {
  name: "offline-texts",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]languages[\\/]en_US\.json$/ }, ({ path }) => {
      const { commands, offline } = JSON.parse(readFileSync(path, "utf8"));
      return { contents: JSON.stringify({ commands, offline }), loader: "json" };
    }),
};

/**
 * Build options for each environment of a bundle.
 * @satisfies {Record<string, import("esbuild").BuildOptions>}
 */
const PLACES = {
  /** The script engine of the game. Names are not minified, so that stack traces in the console are readable. */
  game: {
    platform: "neutral",
    target: "es2020",
    external: ["@minecraft/*"],
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    legalComments: "none",
    plugins: [offlineTexts],
  },
  /** The script engine of the simulator. Private names stay: their replacements leak memory in QuickJS. */
  guest: { platform: "neutral", target: "es2022" },
  /** Node, with `node_modules`. */
  node: { platform: "node", target: `node${LEAST}`, packages: "external" },
  browser: { platform: "browser", target: "es2022", minify: true },
  /** Inside a page's HTML, where a module would run later. */
  inline: { platform: "browser", target: "es2022", minify: true, format: "iife" },
};

/** Code that loads a file outside the bundle, as packages for two module systems do. */
const RELATIVE = /\brequire\w*\(["']\.{1,2}\//;

/** @param {import("esbuild").BuildOptions} options */
async function bundled(options) {
  const { outputFiles, metafile, warnings } = await build({
    absWorkingDir: ROOT,
    bundle: true,
    format: "esm",
    charset: "utf8",
    logLevel: "silent",
    loader: { ".lua": "text" },
    sourcesContent: false,
    ...options,
    write: false,
    metafile: true,
  });
  const doubts = warnings.map(({ text, location }) => `${location?.file}:${location?.line}: ${text}`);
  if (doubts.length > 0) throw new Error(doubts.join("\n"));
  return { outputFiles, metafile };
}

/**
 * A module of this repository with all its imports, as one ES module.
 * @param {string} entry path from the root
 * @param {keyof typeof PLACES} place
 * @returns {Promise<{ code: string, map: string }>} `map`: source map of the code
 * @throws on an unresolved import or a warning
 */
export async function bundle(entry, place) {
  const options = {
    entryPoints: [entry],
    outfile: "dist/bundle.js",
    sourcemap: /** @type {const} */ ("external"),
  };
  const { outputFiles } = await bundled({ ...options, ...PLACES[place] });
  const textOf = (/** @type {string} */ end) =>
    outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
  return { code: textOf(".js"), map: textOf(".map") };
}

/**
 * Programs for Node that need no `node_modules`. What several of them import is written once, below `lib`; so is what a program
 * imports only when it needs it, which costs nothing before.
 * @param {Record<string, string>} programs sources by place, such as `tools/setup.program`
 * @returns {Promise<{ files: import("./files.mjs").Entry[], packages: string[], loaded: (program: string) => string[] }>} `packages`:
 *   paths from the root of the packages in them; `loaded`: the sources that a program loads at its start
 * @throws as above, and when a file of a package would have to be beside them
 */
export async function bundlePrograms(programs) {
  const { outputFiles, metafile } = await bundled({
    entryPoints: programs,
    outdir: "dist",
    splitting: true,
    chunkNames: "lib/[name]-[hash]",
    platform: "node",
    target: `node${LEAST}`,
    // Node holds text that is all ASCII in half the memory.
    charset: "ascii",
    // A package's build for Node may load its own files in a way that cannot be bundled.
    mainFields: ["module", "main"],
    // CommonJS packages load modules of Node with `require`.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
    },
    sourcemap: "linked",
    minifyWhitespace: true,
    lineLimit: 500,
  });
  const files = outputFiles.map(({ path, contents }) => ({
    path: path.slice(ROOT.length + "/dist/".length).replaceAll("\\", "/"),
    content: Buffer.from(contents),
  }));
  const [open] = files.filter(
    ({ path, content }) => path.endsWith(".js") && RELATIVE.test(content.toString()),
  );
  if (open !== undefined) throw new Error(`${open.path} would need files of a package next to it`);
  /** @param {string} program */
  function loaded(program) {
    const all = new Set([`dist/${program}.js`]);
    for (const path of all)
      for (const each of metafile.outputs[path]?.imports ?? [])
        if (each.kind === "import-statement" && !each.external) all.add(each.path);
    return [...all].flatMap(path => Object.keys(metafile.outputs[path]?.inputs ?? {}));
  }
  return { files, packages: packagesOf(Object.keys(metafile.inputs)), loaded };
}

/**
 * Packages of files.
 * @param {string[]} files paths from the root, with slashes
 * @returns {string[]} for example `node_modules/express`
 */
export function packagesOf(files) {
  const found = files.flatMap(file => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(found)].sort();
}
