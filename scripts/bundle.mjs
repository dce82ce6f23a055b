import { readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { parse, tokenizer, tokTypes } from "acorn";
import { build } from "esbuild";
import { LEAST } from "./setup/least-node.mjs";
import { ROOT } from "./setup/paths.mjs";

/**
 * Of the English texts, those that the pack has to know by itself; esbuild would take in the whole file.
 * @type {import("esbuild").Plugin}
 */
const textsOfPack = {
  name: "texts of the pack",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]languages[\\/]en_US\.json$/ }, ({ path }) => {
      const { commands, offline } = JSON.parse(readFileSync(path, "utf8"));
      return { contents: JSON.stringify({ commands, offline }), loader: "json" };
    }),
};

/**
 * Of the encodings of a package, those that Node has itself: bodies are read as bytes, and half a megabyte of tables would only
 * be held.
 * @type {import("esbuild").Plugin}
 */
const bytesOnly = {
  name: "no tables of encodings",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]iconv-lite[\\/]encodings[\\/]index\.js$/ }, () => ({
      contents: 'module.exports = require("./internal");',
      loader: "js",
    })),
};

/** Types that Express looks up for the answers that it makes itself. */
const TYPES = ["application/json", "application/octet-stream", "text/html", "text/plain"];

/**
 * Of the list of all types of files, those that the service has to know; each is an object that would only be held.
 * @type {import("esbuild").Plugin}
 */
const fewTypes = {
  name: "no list of types",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, ({ path }) => {
      const all = JSON.parse(readFileSync(path, "utf8"));
      return {
        contents: JSON.stringify(Object.fromEntries(TYPES.map(type => [type, all[type]]))),
        loader: "json",
      };
    }),
};

/**
 * Node, with nothing beside it.
 * @satisfies {import("esbuild").BuildOptions}
 */
const ALONE = {
  platform: "node",
  target: `node${LEAST}`,
  // Node holds text that is all ASCII in half the memory.
  charset: "ascii",
  // A package's form for Node may load its own files in a way that nobody can follow.
  mainFields: ["module", "main"],
  // Packages that are no ES modules ask for the parts of Node with `require`.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
  },
};

/**
 * Where a bundle runs, and what that asks for.
 * @satisfies {Record<string, import("esbuild").BuildOptions>}
 */
const PLACES = {
  /** The script engine of the game. No name is shortened, and line numbers of its errors are found in the file itself. */
  game: { platform: "neutral", target: "es2020", external: ["@minecraft/*"], plugins: [textsOfPack] },
  /** What the simulator puts into a script engine. As QuickJS reads it: what stands in for private names leaves garbage there. */
  guest: { platform: "neutral", target: "es2022" },
  /** Node, with `node_modules`. */
  node: { platform: "node", target: `node${LEAST}`, packages: "external", sourcemap: "linked" },
  alone: ALONE,
  /**
   * The same, for what runs for long: what it imports only when it needs it is in files of its own, which cost nothing before.
   * Node holds the whole text of the others as long as it runs, and looks for the ends of its lines. Names stay as they are.
   */
  service: {
    ...ALONE,
    splitting: true,
    chunkNames: "lib/[name]-[hash]",
    sourcemap: "linked",
    minifyWhitespace: true,
    lineLimit: 500,
    plugins: [bytesOnly, fewTypes],
  },
  browser: { platform: "browser", target: "es2022", minify: true },
};

/**
 * @typedef {{ path: string, text: string }} Part a file beside a bundle, by its path from there
 * @typedef {{ code: string, map: string | undefined, beside: Part[], files: string[], begins: string[] }} Bundled
 */

/**
 * A script without the comments that esbuild leaves, and with tabs in the place of the blanks before its lines: the engine would read
 * them with each load. Every name and every line of code stays as it is.
 * @param {string} code
 */
function withoutRest(code) {
  const options = /** @type {const} */ ({ ecmaVersion: 2020, sourceType: "module" });
  /** @type {import("acorn").Comment[]} */
  const comments = [];
  parse(code, { ...options, onComment: comments });
  const bare = comments.reduceRight((text, { start, end }) => {
    const begin = text.lastIndexOf("\n", start) + 1;
    const isLine = text.slice(begin, start).trim() === "" && text[end] === "\n";
    return isLine
      ? text.slice(0, begin) + text.slice(end + 1)
      : text.slice(0, start) + text.slice(end).trimStart();
  }, code);
  const texts = [...tokenizer(bare, options)].filter(({ type }) => type === tokTypes.template);
  const isText = (/** @type {number} */ at) => texts.some(({ start, end }) => start < at && at < end);
  return bare.replace(/^(?: {2})+/gm, (blanks, at) => (isText(at) ? blanks : "\t".repeat(blanks.length / 2)));
}

/**
 * A file of a bundle and those that are loaded before it runs.
 * @param {string} entry
 * @param {import("esbuild").Metafile["outputs"]} outputs
 */
function loadedWith(entry, outputs) {
  const all = new Set([entry]);
  for (const path of all)
    for (const each of outputs[path]?.imports ?? [])
      if (each.kind === "import-statement" && !each.external) all.add(each.path);
  return [...all];
}

/**
 * A module of ours with all it imports, as one ES module, or as one with others beside it.
 * @param {string} entry path from the root
 * @param {keyof typeof PLACES} place
 * @param {string} [to] where it will lie, from the root; without it there is no map
 * @returns {Promise<Bundled>} `files`: paths from the root of what is in it; `begins`: of those, what is loaded in any case
 * @throws when a name cannot be found or something is doubtful
 */
export async function bundle(entry, place, to) {
  const { dir, name, base } = posix.parse(to ?? "dist/bundle.js");
  const { outputFiles, metafile, warnings } = await build({
    entryPoints: { [name]: entry },
    outdir: dir,
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    charset: "utf8",
    logLevel: "silent",
    loader: { ".lua": "text" },
    ...PLACES[place],
    ...(to === undefined && { sourcemap: false }),
  });
  const doubts = warnings.map(({ text, location }) => `${location?.file}:${location?.line}: ${text}`);
  if (doubts.length > 0) throw new Error(doubts.join("\n"));
  const parts = outputFiles.map(({ path, text }) => ({
    path: relative(join(ROOT, dir), path).split(sep).join("/"),
    text,
  }));
  const textOf = (/** @type {string} */ path) => parts.find(part => part.path === path)?.text;
  const [code = "", map] = [textOf(base), textOf(`${base}.map`)];
  const inputsOf = (/** @type {readonly string[]} */ outputs) =>
    outputs.flatMap(path => Object.keys(metafile.outputs[path]?.inputs ?? {}));
  return {
    code: place === "game" ? withoutRest(code) : code,
    map,
    beside: parts.filter(({ path }) => path !== base && path !== `${base}.map`),
    files: inputsOf(Object.keys(metafile.outputs)),
    begins: inputsOf(loadedWith(posix.join(dir, base), metafile.outputs)),
  };
}
