import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtFiles, textFile } from "../files.mjs";
import { ROOT } from "../setup/paths.mjs";

/** @typedef {import("../files.mjs").Entry} Entry */

/** The name of the package. */
export const CLIENT = "bedrock-web-bridge-client";

/** @param {string} path */
const read = path => readFileSync(join(ROOT, path), "utf8");

/**
 * The client as a package for npm: what is built of it, its README and the licence.
 * @param {string} version
 * @returns {Entry[]}
 */
export function clientPackage(version) {
  return [
    textFile("package/package.json", `${JSON.stringify(manifest(version), undefined, 2)}\n`),
    textFile("package/README.md", read("client/README.md").replaceAll("{version}", version)),
    textFile("package/LICENSE", read("LICENSE")),
    ...builtFiles("client", "package/"),
  ];
}

/** @param {string} version */
function manifest(version) {
  const { license, engines } = JSON.parse(read("package.json"));
  return {
    name: CLIENT,
    version,
    description: "Client for the web interface of a bridge to a Minecraft Bedrock Dedicated Server",
    license,
    type: "module",
    sideEffects: false,
    engines,
    exports: {
      ".": { types: "./index.d.ts", default: "./index.js" },
      "./package.json": "./package.json",
    },
  };
}
