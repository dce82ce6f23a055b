import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { TASKS } from "../../scripts/tasks.mjs";
import { toolPath } from "../helpers/tools.ts";
import { IS_BUILT, ROOT } from "../package/packages.ts";
import { blocks, text } from "./pages.ts";

// Blocks of README.md: try-it-without-minecraft sh
// Blocks of lab/demo/README.md: try-it-without-minecraft sh
// Blocks of docs/after-an-update.md: what-to-do sh, what-to-do text, other-versions-of-the-modules sh
// Blocks of docs/install-by-hand.md: 1-start-the-sidecar-once sh, 1-start-the-sidecar-once text
// Blocks of docs/install-by-hand.md: 4-allow-the-pack-to-call-the-sidecar properties
// Blocks of docs/prove.md: try-a-game-before-you-use-it sh
// Blocks of docs/troubleshooting.md: when-something-is-wrong sh

const PAGES = [
  ...[
    "README.md",
    "lab/demo/README.md",
    "docs/after-an-update.md",
    "docs/install-by-hand.md",
    "docs/prove.md",
  ],
  "docs/troubleshooting.md",
];
/** Every command in the blocks of these pages that starts a program of the product. */
const COMMANDS = PAGES.flatMap(page =>
  blocks(page, "sh").flatMap(block =>
    block.text.split("\n").filter(line => /^(npm|\.\/web-bridge) /.test(line)),
  ),
);

/** The program of this repository that a command runs. */
function programOf(command: string): string {
  const name = /^\.\/web-bridge (\w+)/.exec(command)?.[1];
  if (name !== undefined) return toolPath(name);
  const [, task = ""] = /^npm (?:run )?([\w-]+)(?: -- .*)?$/.exec(command) ?? [];
  const { scripts } = JSON.parse(text("package.json"));
  expect([command, scripts[task]]).toEqual([command, `node scripts/bootstrap.mjs ${task}`]);
  return join(ROOT, TASKS[task]?.program ?? "");
}

it("every command runs an existing program", () => {
  expect(COMMANDS.length).toBeGreaterThan(5);
  for (const command of COMMANDS)
    expect([command, existsSync(programOf(command)) || !IS_BUILT]).toEqual([command, true]);
});

it("the manual setting is the one that setup writes", () => {
  const [line] = blocks("docs/install-by-hand.md", "properties");
  const [key = "", value] = line?.text.split("=") ?? [];
  expect(text("owner/setup/plan.ts")).toContain(`"${key}": "${value}"`);
});
