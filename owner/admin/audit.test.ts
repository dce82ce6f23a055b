import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { NO_CONFIG } from "../../sidecar/config/load.ts";
import type { AuditedChange } from "../../sidecar/features/moderation/audit.ts";
import { openAuditFile } from "../../sidecar/features/moderation/audit-file.ts";
import { text } from "../../test/docs/pages.ts";
import { eachInFolder, folder } from "../../test/helpers/folder.ts";
import { RecordingLog } from "../../test/helpers/log.ts";
import { toolPath } from "../../test/helpers/tools.ts";

// Blocks of docs/keys.md: the-audit-log sh

eachInFolder("audit command ");
beforeEach(() => {
  writeFileSync(join(folder, "config.yml"), "storage.folder: kept\n");
});

const run = (...args: string[]) => {
  const env = { ...process.env, TZ: "UTC", WEB_BRIDGE_CONFIG: join(folder, "config.yml") };
  const { status, stdout, stderr } = spawnSync(process.execPath, [toolPath("audit"), ...args], {
    cwd: folder,
    encoding: "utf8",
    env,
  });
  return { status, lines: stdout.split("\n").filter(line => line !== ""), stderr };
};

const at = Date.UTC(2026, 0, 1, 12, 30, 5);
const entry = (more: Partial<AuditedChange>): AuditedChange => ({
  at,
  key: "panel",
  address: "192.0.2.1",
  action: "whitelist.add",
  name: "Herobrine",
  outcome: "whitelisted",
  ...more,
});

async function write(...entries: Partial<AuditedChange>[]): Promise<void> {
  // So small that each has its own file.
  const audit = openAuditFile(join(folder, "kept"), new RecordingLog(), 10);
  for (const each of entries) await audit.write(entry(each));
}

describe("npm run audit", () => {
  it("prints the entries of all files, oldest first, as sentences", async () => {
    await write({}, { name: "Ari Vale", action: "whitelist.remove", outcome: "removed", key: "admin" });
    await write({ action: "whitelist.remove", outcome: "not_whitelisted" });
    await write({ outcome: "unexpected_result" });
    expect(run()).toEqual({
      status: 0,
      lines: [
        "2026-01-01 12:30:05  panel (192.0.2.1)  added to the whitelist: Herobrine",
        "2026-01-01 12:30:05  admin (192.0.2.1)  removed from the whitelist: Ari Vale",
        "2026-01-01 12:30:05  panel (192.0.2.1)  removing from the whitelist: Herobrine failed: not_whitelisted",
        "2026-01-01 12:30:05  panel (192.0.2.1)  adding to the whitelist: Herobrine failed: unexpected_result",
      ],
      stderr: "",
    });
  });

  it("prints JSON as in the files, filtered by the options", async () => {
    await write({ name: "a" }, { name: "b", key: "admin" }, { name: "a", key: "admin" }, { name: "c" });
    const names = (...args: string[]) => run("--json", ...args).lines.map(line => JSON.parse(line).name);
    expect(JSON.parse(run("--json").lines[0] ?? "")).toEqual(entry({ name: "a" }));
    expect(names()).toEqual(["a", "b", "a", "c"]);
    expect(names("--key", "admin")).toEqual(["b", "a"]);
    expect(names("--name", "a", "--key", "panel")).toEqual(["a"]);
    expect(names("--last", "2")).toEqual(["a", "c"]);
    expect(names("--last", "0")).toEqual([]);
  });

  it("accepts the commands of its page in the documentation", async () => {
    const page = text("docs/keys.md");
    const example = /^\.\/web-bridge audit (.+)$/m.exec(page)?.[1] ?? "";
    await write({});
    expect(run(...example.split(" "))).toMatchObject({
      status: 0,
      lines: [expect.stringContaining("added")],
    });
  });

  it("omits damaged lines, reports them, and escapes terminal control codes", async () => {
    await write({ name: "a\u001b[2Jb\u202e" });
    const never = JSON.stringify(entry({ at: 1e17 }));
    appendFileSync(join(folder, "kept", "audit.jsonl"), `{"at":1,"key"\nnull\n[]\n{"at":1}\n${never}\n`);
    const { status, lines, stderr } = run();
    expect([status, lines.length]).toEqual([0, 1]);
    expect(lines[0]).toContain("a\\u001b[2Jb\\u202e");
    expect(stderr).toContain("5 lines of");
  });

  it("says where it looked when there is no audit log, and creates nothing", () => {
    const { status, lines } = run();
    expect([status, lines]).toEqual([0, [`no entries in ${join(folder, "kept", "audit.jsonl")}`]]);
    const none = run("--config", "none.yml");
    expect([none.status, none.stderr]).toEqual([
      1,
      `${join(folder, "none.yml")}: cannot be read: ${NO_CONFIG}\n`,
    ]);
  });

  it("names a file that it cannot read, and rejects unknown arguments", () => {
    mkdirSync(join(folder, "kept", "audit.jsonl"), { recursive: true });
    expect(run()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        "audit.jsonl: cannot be read: it is a folder, expected a file (EISDIR)",
      ),
    });
    for (const args of [["--last", "x"], ["--colour"]]) {
      const { status, stderr } = run(...args);
      expect(status).toBe(2);
      expect(stderr).toContain("usage: ");
    }
  });
});
