import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Whether a file of the repository belongs to tests: those in `test/`, and tests beside the source. */
export const isOfTests = (name: string): boolean =>
  /^test\/|\.(test|contract)\.ts$|\/testing\//.test(name.replaceAll("\\", "/"));

/** Source files of the repository, by path, with their text. */
export const sourceFiles = (): { name: string; text: string }[] =>
  readdirSync(ROOT, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !/^(\.|(data|dist|docs|node_modules)$)/.test(entry.name))
    .flatMap(({ name }) =>
      readdirSync(join(ROOT, name), { recursive: true, encoding: "utf8" }).map(one =>
        join(name, one).replaceAll("\\", "/"),
      ),
    )
    .filter(name => /\.(tsx?|mjs)$/.test(name))
    .map(name => ({ name, text: readFileSync(join(ROOT, name), "utf8") }));

/** Those that belong to tests. */
export const testFiles = (): { name: string; text: string }[] =>
  sourceFiles().filter(({ name }) => name.endsWith(".ts") && isOfTests(name));
