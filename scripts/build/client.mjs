import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { bundle } from "../bundle.mjs";
import { textFile } from "../files.mjs";
import { ROOT, TSC } from "../paths.mjs";
import { runNode } from "../run.mjs";
import { typesOf } from "./types.mjs";

/**
 * The client for websites: one file for browsers and Node, with its types, and a second copy that the sidecar serves.
 * @returns {Promise<import("../files.mjs").Entry[]>}
 */
export async function clientFiles() {
  const [{ code }, types] = await Promise.all([bundle("client/index.ts", "browser"), readTypes()]);
  return [textFile("client/index.js", code), textFile("web/client.js", code), ...types];
}

/** The module with the schemas of all messages, from the root. */
const DECLARED = "shared/public";

/** Types from TypeScript; those of messages come from their schemas, which gives more readable ones. */
async function readTypes() {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-types-"));
  try {
    const emit = ["--noEmit", "false", "--incremental", "false", "--declaration", "--emitDeclarationOnly"];
    const places = ["--rootDir", ".", "--outDir", folder];
    if ((await runNode([TSC, "-p", "client", ...emit, ...places], { cwd: ROOT })) !== 0)
      throw new Error("the client has no types");
    const own = readdirSync(join(folder, "client")).map(name => join("client", name));
    const types = [...own, join(DECLARED, "words.d.ts")].map(path => {
      const text = readFileSync(join(folder, path), "utf8");
      return textFile(`client/${basename(path)}`, beside(text));
    });
    return [...types, textFile("client/messages.d.ts", typesOf(await readSchemas()))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The sources are not beside the types, and not every compiler accepts imports of `.ts` files. @param {string} text */
const beside = text =>
  text
    .replace(/"(\.\/[\w-]+)\.ts"/g, '"$1.js"')
    .replace(/"\.\.\/shared\/public\/([\w-]+)\.ts"/g, (_, name) =>
      name === "words" ? '"./words.js"' : '"./messages.js"',
    );

/** Schemas of all messages, by the names of the types. */
async function readSchemas() {
  const { code } = await bundle(`${DECLARED}/messages.ts`, "node");
  const declared = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return Object.fromEntries(
    Object.entries(declared)
      .filter(([, { schema }]) => schema !== undefined)
      .map(([name, { schema }]) => [`${name.charAt(0).toUpperCase()}${name.slice(1)}`, schema]),
  );
}
