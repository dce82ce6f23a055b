import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { ended } from "../../test/helpers/ended.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { eachInFolder, folder } from "../../test/helpers/folder.ts";
import { needs } from "../../test/helpers/needs.ts";
import { IS_BUILT, ROOT } from "../../test/package/packages.ts";
import { noteRunBy, RUN_BY_FILE } from "./run-by.ts";

eachInFolder("run by ");

const PROGRAM = join(ROOT, "dist/sidecar/main.js");

it("stores how the sidecar is run, and removes that when it is started by hand", () => {
  noteRunBy(folder, "compose");
  noteRunBy(folder, "systemd:web-bridge");
  expect(readFileSync(join(folder, RUN_BY_FILE), "utf8")).toBe("systemd:web-bridge\n");
  noteRunBy(folder, undefined);
  expect(readdirSync(folder)).toEqual([]);
});

const start = (env: Record<string, string>) =>
  spawn(process.execPath, [PROGRAM], { cwd: folder, stdio: "ignore", env: { ...environment(), ...env } });

const environment = () => ({
  ...process.env,
  WEB_BRIDGE_CONFIG: join(folder, "config.yml"),
  WEB_BRIDGE_BRIDGE_PORT: "0",
});

needs("npm run build", IS_BUILT).describe("the sidecar", () => {
  it("is checked at its address, even if the configuration has changed since", async () => {
    const config = join(folder, "config.yml");
    const health = (env = {}) =>
      spawnSync(process.execPath, [PROGRAM, "--health"], {
        encoding: "utf8",
        env: { ...environment(), ...env },
      });
    writeFileSync(config, "modules.api: {host: 127.0.0.1, port: 0}\n");
    const child = start({});
    try {
      await eventually(() => expect(health()).toMatchObject({ status: 0, stderr: "" }));
      for (const text of ["modules.api.port: 1\n", "modules.api.port: x\n", "[", ""]) {
        writeFileSync(config, text);
        expect([text, health()]).toMatchObject([text, { status: 0, stderr: "" }]);
      }
      // Units of one template share the folder, and are told apart by the variable.
      expect(health({ WEB_BRIDGE_MODULES_API_PORT: "1" })).toMatchObject({
        status: 1,
        stderr: "127.0.0.1, port 1: ECONNREFUSED\n",
      });
    } finally {
      await ended(child);
    }
    expect(health()).toMatchObject({ status: 1, stderr: expect.stringMatching(/^127\.0\.0\.1, port \d+: /) });
  });
});
