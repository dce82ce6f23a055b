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
  it("names the wrong option and prints the usage", () => {
    expect(prove("--server", "x", "--json")).toMatchObject({
      ...{ status: 2, stderr: expect.stringMatching(/^--json needs --yes\n\nusage: /) },
    });
  });

  it("starts nothing without a yes", () => {
    const [root, work] = [server(), newFolder("work ")];
    expect(prove("--server", root, "--work", work)).toMatchObject({
      ...{ status: 2, stderr: "Nothing was started. Add --yes to start without being asked.\n" },
    });
    expect(readdirSync(work)).toEqual([]);
  });

  it("refuses to write into the server's folder", () => {
    const option = "--out";
    const root = server();
    mkdirSync(join(root, "below"));
    const { status, stderr } = prove("--server", root, "--yes", option, join(root, "below"));
    expect([status, stderr]).toEqual([
      2,
      `${join(root, "below")}: is inside the folder of --server, which prove does not change: choose another one with ${option}\n`,
    ]);
  });

  it("reports an unknown probe as JSON", () => {
    const { status, stdout } = prove("--server", server(), "--yes", "--json", "--only", "nothing");
    expect([status, JSON.parse(stdout)]).toEqual([
      2,
      { ok: false, faults: ["--only: unknown probe: nothing"] },
    ]);
  });
});
