import { bundle } from "../bundle.mjs";

/** What loads a file that was not bundled, as code that was made for two kinds of modules does. */
const RELATIVE = /\brequire\w*\(["']\.{1,2}\//;

/** @typedef {{ code: string, beside: import("../bundle.mjs").Part[], packages: string[] }} Bundled */

/**
 * One of our programs with everything it imports, but for the parts of Node.
 * @param {string} entry path from the root
 * @param {"alone" | "service"} [place] `alone`: in one file
 * @returns {Promise<Bundled>} `packages`: paths from the root of the packages that are in it
 * @throws when a name cannot be found, or something else would have to be beside it
 */
export async function bundleAlone(entry, place = "alone") {
  const { code, beside, files } = await bundle(entry, place);
  if ([code, ...beside.map(({ text }) => text)].some(text => RELATIVE.test(text)))
    throw new Error(`${entry} would need files of a package beside it`);
  return { code, beside, packages: packagesOf(files) };
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
