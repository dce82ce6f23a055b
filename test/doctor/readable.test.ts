import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { examine } from "../../doctor/examine.ts";
import { isProblem } from "../../doctor/finding.ts";
import { systemSurroundings } from "../../doctor/system.ts";
import { needs } from "../helpers/runner.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Somebody who is not root, and to whom nothing belongs. */
const NOBODY = 65_534;

let folder: string;
let config: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sudo "));
  chmodSync(folder, 0o755);
  config = join(folder, "config.yml");
  mkdirSync(join(folder, "data"));
  writeFileSync(config, "log.level: info\n", { mode: 0o600 });
  writeFileSync(join(folder, "data/bridge-token"), "a-token-0123456789\n", { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function firstMend(): Promise<string> {
  const around = { ...systemSurroundings(ROOT), env: {} };
  process.seteuid?.(NOBODY);
  try {
    const found = await examine({ server: join(folder, "none"), config }, around);
    const problem = found.find(each => isProblem(each) && each.id === "readable");
    return problem?.state === "problem" ? problem.mend : "";
  } finally {
    process.seteuid?.(0);
  }
}

needs("root", process.getuid?.() === 0).it(
  "files of a sidecar that was once run with sudo are given back by one command",
  async () => {
    const whose = `  (when this user runs the sidecar; else run doctor as its user)`;
    expect(await firstMend()).toMatch(/^sudo chown -R (nobody|65534) /);
    expect((await firstMend()).replace(/(nobody|65534)/, "me")).toBe(
      `sudo chown -R me "${config}" "${join(folder, "data")}"${whose}`,
    );
    chmodSync(config, 0o644);
    expect((await firstMend()).replace(/(nobody|65534)/, "me")).toBe(
      `sudo chown -R me "${join(folder, "data")}"${whose}`,
    );
  },
);

it("a folder in the place of a file is to be moved, whoever looks", async () => {
  rmSync(config);
  mkdirSync(config);
  const around = { ...systemSurroundings(ROOT), env: {} };
  const found = await examine({ server: join(folder, "none"), config }, around);
  expect(found).toContainEqual({
    id: "readable",
    state: "problem",
    what: `EISDIR: ${config} is a folder, expected a file`,
    mend: "move it elsewhere",
  });
});
