// Checks the workflows of the forge: keys and values, expressions, and what jobs and steps refer to. Prints a line for each problem.
// Usage: node scripts/lint-workflows.mjs [folder]
import { readdirSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { TextDocument } from "vscode-languageserver-textdocument";
import { ROOT } from "./paths.mjs";

// The linter of GitHub itself is made for bundlers: it imports JSON without the attribute that Node requires.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const { validate } = await import("@actions/languageservice");

const folder = process.argv[2] ?? join(ROOT, ".github/workflows");
for (const name of readdirSync(folder)) {
  const path = join(folder, name);
  const document = TextDocument.create(pathToFileURL(path).href, "yaml", 1, readFileSync(path, "utf8"));
  for (const { range, message } of await validate(document)) {
    console.error(`${path}:${range.start.line + 1}:${range.start.character + 1} ${message}`);
    process.exitCode = 1;
  }
}
