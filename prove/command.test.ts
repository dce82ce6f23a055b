import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { newFolder } from "../test/helpers/folder.ts";
import { toolPath } from "../test/helpers/tools.ts";

function prove(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [toolPath("prove"), ...args], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

function server(): string {
  const root = newFolder("server ");
  writeFileSync(join(root, process.platform === "win32" ? "bedrock_server.exe" : "bedrock_server"), "");
  writeFileSync(join(root, "server.properties"), "");
  return root;
}

describe("npm run prove", () => {
  it("says what is wrong with its options, and what can be written", () => {
    expect(prove("--server", "x", "--json")).toMatchObject({
      ...{ status: 2, stderr: expect.stringMatching(/^--json needs --yes\n\nusage: /) },
    });
  });

  it("begins nothing without a yes", () => {
    const [root, work] = [server(), newFolder("work ")];
    expect(prove("--server", root, "--work", work)).toMatchObject({
      ...{ status: 2, stderr: "Nothing was started. Add --yes to begin without being asked.\n" },
    });
    expect(readdirSync(work)).toEqual([]);
  });

  it("writes nothing into the server's folder, whatever is said", () => {
    const option = "--out";
    const root = server();
    mkdirSync(join(root, "below"));
    const { status, stderr } = prove("--server", root, "--yes", option, join(root, "below"));
    expect([status, stderr]).toEqual([
      2,
      `${join(root, "below")}: is in the folder of --server, where nothing is written: name another one with ${option}\n`,
    ]);
  });

  it("says what is no probe, as JSON for scripts", () => {
    const { status, stdout } = prove("--server", server(), "--yes", "--json", "--only", "nothing");
    expect([status, JSON.parse(stdout)]).toEqual([
      2,
      { ok: false, faults: ["--only: there is no probe nothing"] },
    ]);
  });
});
