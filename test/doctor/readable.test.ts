import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, it } from "@jest/globals";
import { examine } from "../../owner/doctor/examine.ts";
import { isProblem } from "../../owner/doctor/finding.ts";
import { systemSurroundings } from "../../owner/doctor/system.ts";
import { eachInFolder, folder } from "../helpers/folder.ts";
import { needs } from "../helpers/runner.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Somebody who is not root, and to whom nothing belongs. */
const NOBODY = 65_534;

eachInFolder("sudo ");
let config: string;
beforeEach(() => {
  chmodSync(folder, 0o755);
  config = join(folder, "config.yml");
  mkdirSync(join(folder, "data"));
  writeFileSync(config, "log.level: info\n", { mode: 0o600 });
  writeFileSync(join(folder, "data/bridge-token"), "a-token-0123456789\n", { mode: 0o600 });
});

async function firstMend(): Promise<string> {
  const around = { ...systemSurroundings(ROOT), env: {} };
  process.seteuid?.(NOBODY);
  try {
    const found = await examine({ server: join(folder, "none"), config }, around);
    return found.filter(isProblem).find(({ id }) => id === "readable")?.mend ?? "";
  } finally {
    process.seteuid?.(0);
  }
}

needs("root", process.getuid?.() === 0).it(
  "files of a sidecar that was once run with sudo are given back by one command",
  async () => {
    const options = `--server "${join(folder, "none")}" --config "${config}"`;
    const first = `sudo -u root npm run doctor -- ${options}  (the files belong to root; only when this user is to run the sidecar instead: sudo chown -R `;
    expect((await firstMend()).replace(/(nobody|65534)/, "me")).toBe(
      `${first}me "${config}" "${join(folder, "data")}")`,
    );
    chmodSync(config, 0o644);
    expect((await firstMend()).replace(/(nobody|65534)/, "me")).toBe(`${first}me "${join(folder, "data")}")`);
  },
);

needs("root", process.getuid?.() === 0).it(
  "files of another user are to be looked at as that user, by name where there is one",
  async () => {
    for (const [uid, known, named] of [
      [54321, "'#54321'", "user 54321"],
      [1, "daemon", "daemon"],
    ] as const) {
      chownSync(config, uid, uid);
      expect(await firstMend()).toMatch(
        new RegExp(`^sudo -u ${known} npm run doctor -- .* \\(the files belong to ${named}; only when `),
      );
    }
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
