import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "../setup/paths.mjs";

/**
 * Writes the client for websites: one file for browsers and Node, with its types.
 * @returns {Promise<string[]>} what was written, below `dist`
 */
export async function writeClient() {
  const folder = join(ROOT, "dist/client");
  const made = await rolldown({
    input: join(ROOT, "client/index.ts"),
    cwd: ROOT,
    platform: "neutral",
    transform: { target: "es2022" },
    onLog: (_level, log) => {
      throw new Error(`client: ${log.message}`);
    },
  });
  const { output } = await made.write({
    file: join(folder, "index.js"),
    format: "esm",
    minify: true,
    codeSplitting: false,
  });
  await made.close();
  if (output.some(part => part.type === "chunk" && part.imports.length > 0))
    throw new Error("the client may not import anything");
  writeTypes(folder);
  return readdirSync(folder).map(name => `client/${name}`);
}

/** @param {string} folder */
function writeTypes(folder) {
  const flags = [
    "--noEmit",
    "false",
    "--declaration",
    "--emitDeclarationOnly",
    "--incremental",
    "false",
    "--rootDir",
    "client",
    "--outDir",
    folder,
  ];
  execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", "client", ...flags], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  // The sources are not beside the types, and not every compiler takes the ending of a source.
  for (const name of readdirSync(folder).filter(one => one.endsWith(".d.ts"))) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, "utf8").replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
  }
}
