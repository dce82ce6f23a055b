import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../test/helpers/clock.ts";
import { eachInFolder, folder } from "../../test/helpers/folder.ts";
import { RecordingLog } from "../../test/helpers/log.ts";
import { sha256Of } from "./admin-keys.ts";
import { readConfigFile } from "./load.ts";
import { type KeyWatch, watchKeys } from "./watch-keys.ts";

const LOOK_MS = 500;
const MAX_MS = 2_000;

eachInFolder("watch-keys-");
let path: string;
let clock: ManualClock;
let log: RecordingLog;
let holders: string[][];
let ports: number[];
let watch: KeyWatch;
beforeEach(() => {
  path = join(folder, "config.yml");
  clock = new ManualClock();
  log = new RecordingLog();
  holders = [];
  ports = [];
});
afterEach(() => {
  watch.stop();
});

const yaml = (...names: string[]): string =>
  `modules.api.admin-keys: ${JSON.stringify(
    names.map(name => ({ name, sha256: sha256Of(name), scopes: ["links:read"] })),
  )}\n`;

function begin(env: Record<string, string> = {}): void {
  const found = readConfigFile(path, env);
  if ("faults" in found) throw new Error(found.faults.join("\n"));
  watch = watchKeys({
    path,
    env,
    config: found.config,
    clock,
    log,
    connections: () => ({}),
    apply(keys, config) {
      holders.push(keys.map(({ name }) => name));
      ports.push(config.modules.api.port);
    },
  });
}

/** Advances the clock, and waits for the reads of the disk. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += LOOK_MS) {
    clock.advance(LOOK_MS);
    for (let turn = 0; turn < 5; turn++) await stat(folder);
  }
}

const faultsOf = () => log.of("warn").map(({ fields }) => fields);

describe("the configuration file", () => {
  it("is reloaded within two seconds of a change, and only its keys are used", async () => {
    writeFileSync(path, yaml("a"));
    begin();
    await pass(10_000);
    expect([holders, log.lines]).toEqual([[], []]);
    writeFileSync(
      path,
      `${yaml("a", "b")}modules.api.port: 9999\nmodules.api.admin-api-key: 0123456789abcdef\n`,
    );
    await pass(MAX_MS);
    expect([holders, ports]).toEqual([[["admin", "a", "b"]], [8080]]);
    expect(log.of("info")).toHaveLength(1);
    await pass(10_000);
    expect(holders).toHaveLength(1);
    expect(log.text).not.toContain("0123456789abcdef");
  });

  it("is reloaded when it is replaced, as editors and Kubernetes do", async () => {
    const versions = ["one", "two"].map(name => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "config.yml"), yaml(name));
      return name;
    });
    symlinkSync(versions[0] ?? "", join(folder, "..data"), "junction");
    symlinkSync(join(folder, "..data", "config.yml"), path);
    begin();
    symlinkSync(versions[1] ?? "", join(folder, "..new"), "junction");
    renameSync(join(folder, "..new"), join(folder, "..data"));
    await pass(MAX_MS);
    expect(holders).toEqual([["two"]]);
    writeFileSync(`${path}~`, yaml("three"));
    renameSync(`${path}~`, path);
    await pass(MAX_MS);
    expect(holders).toEqual([["two"], ["three"]]);
  });

  it.each([
    ["is no YAML", "modules: [", "line 1, column"],
    ["has an unknown key", "modules.api.prot: 1", "modules.api.prot: unknown"],
    ["has a fault in a key", "modules.api.admin-keys: [{name: a, sha256: secret, scopes: [x]}]", "(hidden)"],
  ])("that %s changes no keys, and one line reports the error", async (_what, faulty, fault) => {
    writeFileSync(path, yaml("a"));
    begin();
    writeFileSync(path, faulty);
    await pass(10_000);
    expect(holders).toEqual([]);
    expect(log.lines).toHaveLength(1);
    expect(JSON.stringify(faultsOf())).toContain(fault);
    expect(log.text).not.toContain("secret,");
    writeFileSync(path, yaml("a"));
    await pass(MAX_MS);
    expect(holders).toEqual([["a"]]);
  });

  it("that is missing changes no keys either, and is not created", async () => {
    writeFileSync(path, yaml("a"));
    begin();
    await pass(MAX_MS);
    rmSync(path);
    await pass(LOOK_MS);
    expect(log.lines).toEqual([]);
    await pass(10_000);
    expect(holders).toEqual([]);
    expect(faultsOf()).toEqual([
      { faults: [`${path}: cannot be read: there is no such file or folder (ENOENT)`] },
    ]);
    expect(() => readConfigFile(path, {})).not.toThrow();
    await expect(stat(path)).rejects.toThrow("ENOENT");
  });

  if (process.platform !== "win32")
    it("that is a device or a pipe is not reloaded", async () => {
      writeFileSync(path, yaml("a"));
      begin();
      for (const make of [() => symlinkSync("/dev/null", path), () => execFileSync("mkfifo", [path])]) {
        rmSync(path);
        make();
        await pass(10_000);
        watch.read();
        expect([holders, log.lines]).toEqual([[], []]);
      }
    });

  it("is reloaded immediately on request, and the environment overrides it", async () => {
    writeFileSync(path, yaml("a"));
    begin({ WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: "of the environment" });
    writeFileSync(path, `${yaml("b")}modules.api.admin-api-key: of the file\n`);
    watch.read();
    expect(holders).toEqual([["admin", "b"]]);
    watch.read();
    expect(holders).toHaveLength(2);
    expect(log.of("info")).toHaveLength(2);
  });
});
