import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { runTool, type ToolResult, toolPath } from "../../../test/helpers/tools.ts";

/** Whether there is what stands for a terminal. */
export const HAS_SCRIPT =
  process.platform === "linux" && spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

export const run = (...args: string[]): Promise<ToolResult> => runTool("setup", args);

/** Runs it at a terminal and gives each answer when its question is asked. */
export async function answer(
  args: readonly string[],
  ...answers: [RegExp, string][]
): Promise<{ code: number; out: string }> {
  const program = [process.execPath, toolPath("setup"), ...args].map(word => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", program, "/dev/null"], { stdio: ["pipe", "pipe", "inherit"] });
  let out = "";
  child.stdout.on("data", chunk => {
    out += String(chunk);
    const [question, words] = answers[0] ?? [/^$/, ""];
    if (!question.test(out)) return;
    answers.shift();
    child.stdin.write(words);
  });
  const [code] = await once(child, "close");
  return { code, out };
}
