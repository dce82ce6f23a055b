import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { newFolder } from "../helpers/folder.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/tools/prove.js", import.meta.url));

function prove(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: "utf8" });
  return { status, stdout, stderr };
}

function server(): string {
  const root = newFolder("server ");
  writeFileSync(join(root, process.platform === "win32" ? "bedrock_server.exe" : "bedrock_server"), "");
  writeFileSync(join(root, "server.properties"), "");
  return root;
}

describe("npm run prove", () => {
  it.each([
    [[], "--server is missing"],
    [["--server", "x", "--online"], "--online"],
    [["--server", "x", "--json"], "--json needs --yes"],
  ])("with %j says what is wrong, and what can be written", (args, message) => {
    expect(prove(...args)).toMatchObject({
      ...{ status: 2, stderr: expect.stringContaining(message) },
    });
  });

  it("begins nothing without a yes", () => {
    const [root, work] = [server(), newFolder("work ")];
    expect(prove("--server", root, "--work", work)).toMatchObject({
      ...{ status: 2, stderr: "Nothing was started. Add --yes to begin without being asked.\n" },
    });
    expect(readdirSync(work)).toEqual([]);
  });

  it("takes the folder of a server, and neither its archive nor a folder without one", () => {
    const zip = join(newFolder("zip "), "bedrock-server.zip");
    writeFileSync(zip, "");
    expect(prove("--server", zip, "--yes").stderr).toContain("is a file, expected the server's folder");
    expect(prove("--server", newFolder("empty "), "--yes")).toMatchObject({ status: 2, stdout: "" });
  });

  it.each(["--work", "--out"])("writes nothing into the server's folder, whatever %s says", option => {
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
