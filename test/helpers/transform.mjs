import { transform } from "esbuild";

/** Strips the types, and does nothing else that could make the tests run other code than is written. */
export default {
  /**
   * @param {string} text
   * @param {string} sourcefile
   */
  processAsync: (text, sourcefile) =>
    transform(text, {
      sourcefile,
      loader: sourcefile.endsWith("x") ? "tsx" : "ts",
      sourcemap: true,
      sourcesContent: false,
      jsx: "automatic",
      jsxImportSource: "preact",
    }),
};
