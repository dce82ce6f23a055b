import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { readFileValues } from "../../sidecar/config/file.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import { eachInFolder, folder } from "../helpers/folder.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/tools/config.js", import.meta.url));

eachInFolder("config é ");
let file: string;
beforeEach(() => {
  file = join(folder, "config.yml");
  write("");
});

function run(args: string[], { env = {}, input = "" } = {}) {
  const { PATH } = process.env;
  return spawnSync(process.execPath, [PROGRAM, ...args], {
    encoding: "utf8",
    cwd: folder,
    env: { PATH, WEB_BRIDGE_CONFIG: file, ...env },
    input,
  });
}

/** What a run that is done prints. */
function done(args: string[], more = {}): string {
  const { status, stdout, stderr } = run(args, more);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

const text = (): string => readFileSync(file, "utf8");
const write = (yaml: string): void => writeFileSync(file, yaml, { mode: 0o640 });
function read() {
  const result = readConfig(text(), {}, folder);
  if ("faults" in result) throw new Error(result.faults.join("\n"));
  return result.config;
}

describe("npm run config", () => {
  it.each([
    ["modules.web.enabled", "false", false],
    ["modules.api.trust-proxy", "1", 1],
    ["modules.api.chat.web", "off", "off"],
    ["modules.api.limits.link-cool-down", "0s", "0s"],
    ["server.info.version", "1.26", "1.26"],
    ["modules.web.title", "[SMP]", "[SMP]"],
    ["server.process", "1234", "1234"],
    ["messages.api.link-accept", "yes: {player} #1", "yes: {player} #1"],
  ])("keeps the kind of a value: %s %s", (key, written, value) => {
    write("");
    done(["set", key, written]);
    expect(readFileValues(text()).values.get(key)).toBe(value);
  });

  it.each([
    [
      ["set", "modules.api.cors-origins", "https://a.example, https://b.example"],
      ["https://a.example", "https://b.example"],
    ],
    [["set", "modules.api.cors-origins", '["https://a.example"]'], ["https://a.example"]],
    [
      ["set", "modules.api.cors-origins", "[https://a.example, https://b.example]"],
      ["https://a.example", "https://b.example"],
    ],
    [["add", "modules.api.cors-origins", "https://a.example"], ["https://a.example"]],
  ])("takes lists with commas, as JSON, as YAML, and one by one: %j", (args, origins) => {
    write("");
    done(args);
    expect(read().modules.api.corsOrigins).toEqual(origins);
  });
});
