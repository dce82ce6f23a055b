import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../bundle.mjs";
import { textFile } from "../files.mjs";
import { ROOT, TSC } from "../setup/paths.mjs";
import { runNode } from "../setup/run.mjs";

/**
 * The client for websites: one file for browsers and Node, with its types, and once more where the sidecar serves it.
 * @returns {Promise<import("../files.mjs").Entry[]>}
 */
export async function clientFiles() {
  const [{ code }, types] = await Promise.all([bundle("client/index.ts", "browser"), readTypes()]);
  return [textFile("client/index.js", code), textFile("web/client.js", code), ...types];
}

async function readTypes() {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-types-"));
  try {
    const emit = ["--noEmit", "false", "--incremental", "false", "--declaration", "--emitDeclarationOnly"];
    const places = ["--rootDir", "client", "--outDir", folder];
    if ((await runNode([TSC, "-p", "client", ...emit, ...places], process.env, ROOT)) !== 0)
      throw new Error("the client has no types");
    return readdirSync(folder).map(name => {
      const text = readFileSync(join(folder, name), "utf8");
      // The sources are not beside the types, and not every compiler takes the ending of a source.
      return textFile(`client/${name}`, text.replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
