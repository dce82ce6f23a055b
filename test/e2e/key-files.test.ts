import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { ask } from "../helpers/client.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { eventually } from "../helpers/runner.ts";
import { PROGRAM, TOKEN } from "../helpers/sidecar.ts";

let folder: string;
let child: ChildProcess;
let out: string[];
let base: string;
let bridge: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "key-files-"));
  write("first");
  out = [];
  child = spawn(process.execPath, [PROGRAM, "--config", join(folder, "config.yml")], {
    cwd: folder,
    env: { ...process.env, WEB_BRIDGE_LOG_FORMAT: "json", WEB_BRIDGE_BRIDGE_TOKEN: TOKEN },
  });
  if (!child.stdout) throw new Error("no output");
  createInterface({ input: child.stdout }).on("line", line => out.push(line));
  [base, bridge] = await eventually(() => [listener("public"), listener("bridge")]);
});

/** Where this listener of the process listens; throws before it does. */
function listener(name: string): string {
  const line = out.find(each => each.includes(`"listener":"${name}"`));
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line ?? "")?.[0];
  if (url === undefined) throw new Error(`it does not listen: ${out.join("\n")}`);
  return url;
}

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
modules.api.admin-keys: [{ name: panel, sha256: ${sha256Of(key)}, scopes: [whitelist:read, whitelist:write] }]
${more}`,
  );
}

const status = async (key: string): Promise<number> =>
  (await ask(base, "/whitelist", { headers: { "X-Service-Api-Key": key } })).status;

it("the sidecar writes what was done with a key into the audit of its storage folder", async () => {
  const pack = new FakePack(bridge, TOKEN);
  await pack.connect();
  await pack.snapshot();
  const headers = { "X-Service-Api-Key": "first" };
  const added = ask(base, "/whitelist", { headers, body: { playerName: "Noor" } });
  await pack.carryOut("done");
  expect((await added).status).toBe(202);
  const file = join(folder, "data", "audit.jsonl");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    at: expect.any(Number),
    key: "panel",
    address: "127.0.0.1",
    action: "whitelist.add",
    name: "Noor",
    outcome: "whitelisted",
  });
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
});

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
