import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** Whether there is what stands for a terminal. */
export const HAS_SCRIPT =
  process.platform === "linux" && spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;
const PROGRAM = fileURLToPath(new URL("../../dist/tools/setup.js", import.meta.url));

/** Runs setup where nobody can be asked. */
export async function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, "exit");
  return { code: child.exitCode, out, err };
}

/** Runs it at a terminal and gives each answer when its question is asked. */
export async function answer(
  args: readonly string[],
  ...answers: [RegExp, string][]
): Promise<{ code: number; out: string }> {
  const program = [process.execPath, PROGRAM, ...args].map(word => `'${word}'`).join(" ");
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
