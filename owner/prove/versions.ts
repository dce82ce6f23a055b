import { readFileSync } from "node:fs";
import { arch, release } from "node:os";
import { join } from "node:path";

/**
 * Versions of what takes part in a trial besides game and product, by name: Node, the system, the script modules as the pack asks
 * for them, and the libraries of the sidecar where they are beside it; in an archive they are those of its product.
 * @param pack folder of the pack as it was built
 */
export function versionsOf(root: string, pack: string): Record<string, string> {
  const libraries = Object.keys(objectIn(join(root, "package.json"), "dependencies"));
  return Object.fromEntries([
    ["node", process.versions.node],
    // A name that somebody gave the system's kernel is theirs.
    ["system", `${/^\d+(\.\d+)*/.exec(release())?.[0] ?? "unknown"} ${arch()}`],
    ...modulesOf(join(pack, "manifest.json")),
    ...libraries.flatMap(name => {
      const version = textIn(join(root, "node_modules", name, "package.json"), "version");
      return version === undefined ? [] : [[name, version] as const];
    }),
  ]);
}

function modulesOf(manifest: string): [string, string][] {
  const dependencies: unknown = valueIn(manifest, "dependencies");
  if (!Array.isArray(dependencies)) return [];
  return dependencies.flatMap((each: { module_name?: unknown; version?: unknown } | null) =>
    typeof each?.module_name === "string" && typeof each.version === "string"
      ? [[each.module_name, each.version] satisfies [string, string]]
      : [],
  );
}

function objectIn(file: string, key: string): object {
  const value = valueIn(file, key);
  return typeof value === "object" && value !== null ? value : {};
}

function textIn(file: string, key: string): string | undefined {
  const value = valueIn(file, key);
  return typeof value === "string" ? value : undefined;
}

/** What a file in JSON has by a key; undefined where there is no such file, or it is none. */
function valueIn(file: string, key: string): unknown {
  try {
    const all: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof all === "object" && all !== null ? Reflect.get(all, key) : undefined;
  } catch {
    return undefined;
  }
}
