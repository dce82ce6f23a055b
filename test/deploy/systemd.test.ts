import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { needs } from "../helpers/runner.ts";
import { findProgram, recipe, replaced } from "./front.ts";

const text = recipe("systemd/web-bridge.service");
const lines = text.split("\n").filter(line => line !== "" && !line.startsWith("#"));
const settingOf = (key: string): string | undefined =>
  lines
    .filter(line => line.startsWith(`${key}=`))
    .at(-1)
    ?.slice(key.length + 1);

const analyze = findProgram(["systemd-analyze"], "--version");

describe("the unit for systemd", () => {
  it("has nothing but sections and settings", () => {
    expect(lines.filter(line => !/^(\[(Unit|Service|Install)\]|[A-Z][A-Za-z]+=.*)$/.test(line))).toEqual([]);
    expect(lines.filter(line => line.startsWith("["))).toEqual(["[Unit]", "[Service]", "[Install]"]);
  });

  it("keeps configuration and data in its own folder, as a user of its own", () => {
    expect(settingOf("StateDirectory")).toBe("web-bridge");
    expect(settingOf("ExecStart")).toMatch(/ --config \/var\/lib\/web-bridge\/config\.yml$/);
    expect(settingOf("DynamicUser")).toBe("yes");
    expect(settingOf("ProtectSystem")).toBe("strict");
    expect(settingOf("NoNewPrivileges")).toBe("yes");
  });

  it("ends the sidecar in order and starts it again after a crash", () => {
    expect(settingOf("KillSignal")).toBe("SIGTERM");
    expect(settingOf("Restart")).toBe("on-failure");
  });

  it("leaves the processes of other users in sight, and memory that runs", () => {
    for (const key of ["ProtectProc", "ProcSubset", "MemoryDenyWriteExecute", "PrivateUsers"])
      expect(settingOf(key)).toBeUndefined();
  });

  needs("systemd-analyze", analyze !== undefined).it(
    "passes systemd's own check, and its check of how open it is",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "unit-"));
      const unit = join(folder, "web-bridge.service");
      writeFileSync(unit, replaced(text, [["/usr/bin/env node", process.execPath]]));
      const verified = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
      const security = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=25", unit]);
      rmSync(folder, { recursive: true, force: true });
      expect(verified.stderr.split("\n").filter(line => line.includes("web-bridge"))).toEqual([]);
      expect(verified.status).toBe(0);
      expect(security.status).toBe(0);
    },
  );
});
