import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { ask } from "../helpers/client.ts";
import { eventually } from "../helpers/runner.ts";
import { PROGRAM } from "../helpers/sidecar.ts";

let folder: string;
let child: ChildProcess;
let out: string[];
let base: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "key-files-"));
  write("first");
  out = [];
  child = spawn(process.execPath, [PROGRAM, "--config", join(folder, "config.yml")], { cwd: folder });
  if (!child.stdout) throw new Error("no output");
  createInterface({ input: child.stdout }).on("line", line => out.push(line));
  base = await eventually(() => {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(out.find(line => line.includes('"public"')) ?? "")?.[0];
    if (url === undefined) throw new Error(`it does not listen: ${out.join("\n")}`);
    return url;
  });
});
afterEach(() => {
  child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a configuration with one key. */
function write(key: string, more = ""): void {
  writeFileSync(
    join(folder, "config.yml"),
    `modules.api: { host: 127.0.0.1, port: 0 }
bridge.port: 0
modules.api.admin-keys: [{ name: panel, sha256: ${sha256Of(key)}, scopes: [whitelist:read] }]
${more}`,
  );
}

const status = async (key: string): Promise<number> =>
  (await ask(base, "/whitelist", { headers: { "X-Service-Api-Key": key } })).status;

// There is no game server: 503 is behind the key.
describe("the keys of a sidecar that runs", () => {
  it("are those of the file, whatever the process was started with", async () => {
    expect([await status("first"), await status("second")]).toEqual([503, 401]);
    write("second");
    await eventually(async () => expect([await status("first"), await status("second")]).toEqual([401, 503]));
    write("third", "nonsense: 1\n");
    await eventually(() => expect(out.join("\n")).toContain("nonsense"));
    expect([await status("second"), await status("third")]).toEqual([503, 401]);
    expect(out.join("\n")).not.toMatch(/"(first|second|third)"/);
  });

  if (process.platform !== "win32")
    it("are read at once on SIGHUP, which ends nothing where no terminal was closed", async () => {
      child.kill("SIGHUP");
      await eventually(() => expect(out.join("\n")).toContain("read the admin keys again"));
      expect(await status("first")).toBe(503);
      expect(child.exitCode).toBeNull();
    });
});
