import { join, relative } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "../setup/paths.mjs";
import { NATIVE } from "./native.mjs";

/** What loads a file that was not bundled, as code that was made for two kinds of modules does. */
const RELATIVE = /\brequire\w*\(["']\.{1,2}\//;

/** @typedef {{ code: string, packages: string[] }} Bundled */

/**
 * One of our programs with everything it imports in one file, but for the parts of Node and libsql.
 * @param {string} entry path from the root
 * @returns {Promise<Bundled>} `packages`: paths from the root of the packages that are in it
 * @throws when a name cannot be found, or something else would have to be beside it
 */
export async function bundle(entry) {
  const made = await rolldown({
    input: join(ROOT, entry),
    cwd: ROOT,
    external: [NATIVE],
    platform: "node",
    // A package's form for Node may load its own files in a way that nobody can follow.
    resolve: { mainFields: ["module", "main"] },
    transform: { target: "node20.19" },
    onLog: (_level, log) => {
      throw new Error(`${entry}: ${log.message}`);
    },
  });
  const { output } = await made.generate({
    format: "esm",
    minify: false,
    codeSplitting: false,
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await made.close();
  const [chunk] = output;
  const foreign = chunk.imports.filter(id => !id.startsWith("node:") && id !== NATIVE);
  if (foreign.length > 0) throw new Error(`${entry} would need ${foreign.join(", ")} beside it`);
  if (RELATIVE.test(chunk.code)) throw new Error(`${entry} would need files of a package beside it`);
  return {
    code: chunk.code,
    packages: packagesOf(Object.keys(chunk.modules).map(file => relative(ROOT, file))),
  };
}

/**
 * Packages that files belong to.
 * @param {string[]} files paths from the root
 * @returns {string[]} for example `node_modules/express`
 */
export function packagesOf(files) {
  const found = files.map(file => {
    const parts = file.replaceAll("\\", "/").split("/");
    const first = parts.indexOf("node_modules");
    const last = parts.lastIndexOf("node_modules");
    return first < 0
      ? undefined
      : parts.slice(first, last + (parts[last + 1]?.startsWith("@") ? 3 : 2)).join("/");
  });
  return [...new Set(found.filter(path => path !== undefined))].sort();
}
