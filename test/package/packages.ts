import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");
export const VERSION: string = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;
export const IS_BUILT = existsSync(join(ROOT, "dist/behavior_pack/manifest.json"));
export const SIDECAR = `web-bridge-sidecar-${VERSION}-any.tar.gz`;

const LEFT_OUT = [".git", ".ci", "dist", "node_modules", "data"];

/** A copy of the repository with everything needed to make packages, in a folder that does not exist yet. */
export function copyOfRepository(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from).filter(name => !LEFT_OUT.includes(name)))
    cpSync(join(from, name), join(to, name), { recursive: true });
  linkFolder(join(from, "node_modules"), join(to, "node_modules"));
}

/** Builds a copy, makes its packages and returns the output. */
export function makePackages(copy: string, out: string, { umask, timeZone }: BuildOptions): string {
  const options = {
    env: { ...process.env, TZ: timeZone },
    cwd: copy,
    stdio: "pipe",
    encoding: "utf8",
  } as const;
  const run = (name: string, ...args: string[]): string => {
    const all = [join(copy, `scripts/${name}.mjs`), ...args];
    if (process.platform === "win32") return execFileSync(process.execPath, all, options);
    return execFileSync("sh", ["-c", `umask ${umask} && exec "$0" "$@"`, process.execPath, ...all], options);
  };
  run("build");
  return run("package", "--only", "any", "--out", out);
}

interface BuildOptions {
  umask: string;
  timeZone: string;
}

/** Links every file, or copies where links are not possible. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [old, fresh] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      if (entry.name !== ".cache" && entry.name !== ".vite" && entry.name !== ".bin") linkFolder(old, fresh);
    } else if (entry.isFile()) linkFile(old, fresh);
  }
}

function linkFile(old: string, fresh: string): void {
  try {
    linkSync(old, fresh);
  } catch {
    cpSync(old, fresh);
  }
}

/** Whether a program of the system can run here. */
export function has(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
