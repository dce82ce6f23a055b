import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { loadConfig } from "../sidecar/config/load.ts";
import { bridgeToken } from "../sidecar/config/token.ts";
import { openFile } from "../sidecar/files.ts";
import { newFolder } from "../test/helpers/folder.ts";
import { RecordingLog } from "../test/helpers/log.ts";
import { needs } from "../test/helpers/needs.ts";
import { makeFolders } from "./folders.ts";

const base = newFolder("folders ");

describe("a folder", () => {
  it("is created with its parents, and may already exist", () => {
    const folder = join(base, "a", "b", "c");
    for (let time = 0; time < 2; time++) makeFolders(folder);
    expect(statSync(folder).isDirectory()).toBe(true);
  });

  it("is not created where a file is, or below one", () => {
    const file = join(base, "file");
    writeFileSync(file, "");
    expect(() => makeFolders(file)).toThrow("EEXIST");
    expect(() => makeFolders(join(file, "below", "it"))).toThrow(
      process.platform === "win32" ? "EEXIST" : "ENOTDIR",
    );
  });
});

needs("/proc", existsSync("/proc/self")).describe("a folder in which the system cannot create one", () => {
  const why = "the system cannot create the folder /proc/nope";

  it("is named, without waiting forever", () => {
    for (const path of ["/proc/nope", "/proc/nope/below/it"]) expect(() => makeFolders(path)).toThrow(why);
  });

  it("is rejected for the configuration, the token and the storage", () => {
    expect(loadConfig("/proc/nope/config.yml", {})).toMatchObject({
      faults: [`/proc/nope/config.yml: cannot be made: ${why}`],
    });
    const storage = { folder: "/proc/nope/data" };
    expect(bridgeToken({ bridge: { host: "", port: 0, token: "" }, storage }, new RecordingLog())).toEqual({
      fault: `/proc/nope/data/bridge-token: cannot be used: ${why}`,
    });
    expect(() => openFile("/proc/nope/data", "links.db", new RecordingLog()).open()).toThrow(
      `/proc/nope/data/links.db: cannot be used: ${why}`,
    );
  });
});
