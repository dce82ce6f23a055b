import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** Path of a built tool for owners, such as `setup`. */
export const toolPath = (name: string): string =>
  fileURLToPath(new URL(`../../dist/tools/${name}.js`, import.meta.url));

export interface ToolResult {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a built program until it ends, without a terminal. */
export async function runTool(
  name: string,
  args: readonly string[],
  { input = "", ...options }: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<ToolResult> {
  const child = spawn(process.execPath, [toolPath(name), ...args], options);
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, "exit");
  return { code: child.exitCode, out, err };
}
