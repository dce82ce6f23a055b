import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { RecordingLog } from "../../../test/helpers/log.ts";
import type { AuditEntry } from "./audit.ts";
import { openAuditFile } from "./audit-file.ts";

const ENTRY: AuditEntry = {
  at: 1_767_225_600_000,
  key: "panel",
  address: "192.0.2.1",
  action: "whitelist.add",
  name: "Herobrine",
  outcome: "whitelisted",
};
const LINE = `${JSON.stringify(ENTRY)}\n`;
const LINES = 3;

let folder: string;
let file: string;
let log: RecordingLog;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "audit-"));
  file = join(folder, "data", "audit.jsonl");
  log = new RecordingLog();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (turnBytes?: number) => openAuditFile(join(folder, "data"), log, turnBytes);
const read = (path = file): string => readFileSync(path, "utf8");

describe("the audit", () => {
  it("has a line for each change, in order, and continues in the next run", async () => {
    const first = open();
    await Promise.all(["a", "b", "c"].map(name => first.write({ ...ENTRY, name })));
    await open().write({ ...ENTRY, action: "whitelist.remove", outcome: "removed" });
    const lines = read().trimEnd().split("\n");
    expect(lines.map(line => JSON.parse(line).name)).toEqual(["a", "b", "c", "Herobrine"]);
    expect(Object.keys(JSON.parse(lines[3] ?? ""))).toEqual(Object.keys(ENTRY));
    expect(log.lines).toEqual([]);
  });

  it("is readable only by this user, even if it was readable by others before", async () => {
    const audit = open();
    await audit.write(ENTRY);
    if (process.platform === "win32") return;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    await audit.write(ENTRY);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("keeps five files besides the newest, each within the size limit", async () => {
    const audit = open(LINE.length * LINES);
    const names = Array.from({ length: LINES * 8 }, (_, i) => `player_${`${i}`.padStart(2, "0")}`);
    for (const name of names) await audit.write({ ...ENTRY, name });
    const files = [5, 4, 3, 2, 1].map(number => `${file}.${number}`);
    const contents = [...files, file].map(path => read(path));
    for (const text of contents) expect(text.length).toBeLessThanOrEqual(LINE.length * LINES);
    const entries = contents
      .join("")
      .trimEnd()
      .split("\n")
      .map(line => JSON.parse(line).name);
    expect(entries).toEqual(names.slice(-entries.length));
    expect(entries.length).toBeGreaterThan(LINES * 5 - 5);
    expect(existsSync(`${file}.6`)).toBe(false);
    for (const path of files)
      if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("continues in the same file while it cannot be rotated, and loses no rotated file", async () => {
    const audit = open(LINE.length * 2);
    const rotated = [1, 2, 3, 4].map(number => `${file}.${number}`);
    mkdirSync(join(`${file}.5`, "in the way"), { recursive: true });
    for (const path of rotated) writeFileSync(path, path);
    for (const name of ["a", "b", "c", "d"]) await audit.write({ ...ENTRY, name });
    expect(read().match(/"name":"."/g)).toHaveLength(4);
    expect(rotated.map(path => read(path))).toEqual(rotated);
    expect(log.of("error").map(({ message }) => message)).toEqual([
      expect.stringContaining("Could not rotate"),
      expect.stringContaining("Could not rotate"),
    ]);
    rmSync(`${file}.5`, { recursive: true });
    await audit.write(ENTRY);
    expect(read()).toBe(LINE);
    expect(read(`${file}.5`)).toBe(`${file}.4`);
    expect(read(`${file}.1`).match(/"name":"."/g)).toHaveLength(4);
  });

  it("returns its newest lines, newest first, across files", async () => {
    const audit = open(LINE.length * LINES);
    expect(await audit.newest(5)).toEqual([]);
    for (const name of ["a", "b", "c", "d"]) await audit.write({ ...ENTRY, name });
    appendFileSync(file, '{"at":17');
    const named = (...names: string[]) => names.map(name => ({ ...ENTRY, name }));
    expect(await audit.newest(2)).toEqual(named("d", "c"));
    expect(await audit.newest(9)).toEqual(named("d", "c", "b", "a"));
  });

  it("returns the maximum number of lines without a gap, however long they are", async () => {
    const audit = open();
    await audit.write({ ...ENTRY, name: "older" });
    renameSync(file, `${file}.1`);
    const long = { ...ENTRY, name: "\u{1f33f}".repeat(256) };
    writeFileSync(file, `${JSON.stringify(long)}\n`.repeat(400));
    const found = await audit.newest(200);
    expect(found).toHaveLength(200);
    expect(found).not.toContainEqual({ ...ENTRY, name: "older" });
  });

  it("reads only the end of a long file, from the first complete line on", async () => {
    const audit = open();
    await audit.write(ENTRY);
    writeFileSync(file, `${LINE.repeat(5_000)}${JSON.stringify({ ...ENTRY, name: "last" })}\n`);
    const found = await audit.newest(5_000);
    expect(found[0]).toEqual({ ...ENTRY, name: "last" });
    expect(found.slice(1)).toEqual(found.slice(1).map(() => ENTRY));
    expect(found.length).toBeGreaterThan(500);
    expect(found.length).toBeLessThan(4_000);
  });

  it("starts a new line after one that was cut off by a full disk or a crash", async () => {
    const audit = open();
    await audit.write(ENTRY);
    appendFileSync(file, '{"at":17');
    await audit.write(ENTRY);
    expect(read()).toBe(`${LINE}{"at":17\n${LINE}`);
  });

  it("logs lines that it could not write, and continues when it can", async () => {
    mkdirSync(file, { recursive: true });
    const audit = open();
    await audit.write(ENTRY);
    expect(log.lines).toEqual([
      {
        level: "error",
        message: expect.stringContaining("Could not write the audit log"),
        fields: expect.objectContaining({ file, by: "panel", player: "Herobrine", outcome: "whitelisted" }),
      },
    ]);
    rmSync(file, { recursive: true });
    await audit.write(ENTRY);
    expect(read()).toBe(LINE);
  });

  if (process.platform !== "win32")
    it("does not wait for the reader of a pipe at its path", async () => {
      mkdirSync(join(folder, "data"));
      execFileSync("mkfifo", [file]);
      await open().write(ENTRY);
      expect(log.of("error")).toHaveLength(1);
    });
});
