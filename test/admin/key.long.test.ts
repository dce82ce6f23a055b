import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import { newFolder } from "../helpers/folder.ts";

// Blocks of docs/configuration.md: keys sh

const PROGRAM = fileURLToPath(new URL("../../dist/tools/key.js", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../dist/tools/config.js", import.meta.url));

describe("npm run key", () => {
  it("does what the page about keys shows", () => {
    const page = readFileSync(fileURLToPath(new URL("../../docs/configuration.md", import.meta.url)), "utf8");
    const [, words = "", name = ""] = /^npm run key -- ((\S+) .* --write)$/m.exec(page) ?? [];
    const away = /^npm run config -- (remove \S*admin-keys \S+)$/m.exec(page)?.[1] ?? "";
    const folder = newFolder("key ");
    const call = (program: string, args: string) =>
      spawnSync(process.execPath, [program, ...args.split(" ")], {
        env: { ...process.env, WEB_BRIDGE_CONFIG: join(folder, "config.yml") },
      });
    writeFileSync(join(folder, "config.yml"), defaultConfigFile());
    const written = (): string => readFileSync(join(folder, "config.yml"), "utf8");
    expect(call(PROGRAM, words).status).toBe(0);
    const read = readConfig(written(), {}, folder);
    expect("config" in read && read.config.modules.api.adminKeys).toMatchObject([
      { name, scopes: ["whitelist:read"] },
    ]);
    expect(call(CONFIG, away).status).toBe(0);
    expect(written()).toBe(defaultConfigFile());
  });
});
