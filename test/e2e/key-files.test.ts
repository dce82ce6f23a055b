import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { ask } from "../helpers/client.ts";
import { eventually } from "../helpers/eventually.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { ownProcess } from "../helpers/sidecar-process.ts";

const own = ownProcess();
beforeEach(() => own.start({}, folder => write("first", "", folder)));

/** Writes a configuration with one key. */
function write(key: string, more = "", folder = own.path()): void {
  writeFileSync(
    join(folder, "config.yml"),
    `modules.api: { host: 127.0.0.1, port: 0 }
bridge.port: 0
modules.api.admin-keys: [{ name: panel, sha256: ${sha256Of(key)}, scopes: [whitelist:read, whitelist:write] }]
${more}`,
  );
}

const status = async (key: string): Promise<number> =>
  (await ask(own.urls.public, "/whitelist", { headers: { "X-Service-Api-Key": key } })).status;

it("the sidecar writes actions with a key to the audit log in its storage folder", async () => {
  const pack = new FakePack(own.urls.bridge);
  await pack.connect();
  await pack.snapshot();
  const headers = { "X-Service-Api-Key": "first" };
  const added = ask(own.urls.public, "/whitelist", { headers, body: { playerName: "Noor" } });
  await pack.carryOut("done");
  expect((await added).status).toBe(202);
  const file = own.path("data", "audit.jsonl");
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

// Without a game server, a valid key gets 503.
describe("the keys of a running sidecar", () => {
  it("are those of the file, also if the process was started with others", async () => {
    expect([await status("first"), await status("second")]).toEqual([503, 401]);
    write("second");
    await eventually(async () => expect([await status("first"), await status("second")]).toEqual([401, 503]));
    write("third", "nonsense: 1\n");
    await eventually(() => expect(own.lines.join("\n")).toContain("nonsense"));
    expect([await status("second"), await status("third")]).toEqual([503, 401]);
    expect(own.lines.join("\n")).not.toMatch(/"(first|second|third)"/);
  });

  if (process.platform !== "win32")
    it("are read immediately on SIGHUP, which does not stop the process unless a terminal was closed", async () => {
      process.kill(own.sidecar.pid ?? 0, "SIGHUP");
      await eventually(() => expect(own.lines.join("\n")).toContain("Reloaded the admin keys"));
      expect(await status("first")).toBe(503);
      expect(own.sidecar.exit).toBeUndefined();
    });
});
