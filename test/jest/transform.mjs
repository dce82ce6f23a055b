import { extname } from "node:path";
import { transform } from "esbuild";

/** @type {Record<string, import("esbuild").Loader>} */
const LOADERS = { ".tsx": "tsx", ".lua": "text" };

/** Strips the types and changes nothing else, so that tests run the code as written. */
export default {
  /**
   * @param {string} text
   * @param {string} sourcefile
   */
  processAsync: (text, sourcefile) =>
    transform(text, {
      sourcefile,
      loader: LOADERS[extname(sourcefile)] ?? "ts",
      format: "esm",
      sourcemap: true,
      sourcesContent: false,
      jsx: "automatic",
      jsxImportSource: "preact",
    }),
};
