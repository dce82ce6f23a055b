import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import { newFolder } from "../helpers/folder.ts";
import { linesUnder } from "./pages.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/tools/config.js", import.meta.url));
const CALL = /^(?:sudo )?(?:\.|\/opt\/web-bridge)\/web-bridge config /;

/** Lines in a section of a page that change settings. */
export const configLines = (page: string, heading: string): string[] =>
  linesUnder(page, heading, "sh").filter(line => CALL.test(line));

/** Configuration texts of the first start after each of these lines. */
export function textsAfter(lines: readonly string[]): string[] {
  const folder = newFolder("shown settings ");
  const file = join(folder, "config.yml");
  writeFileSync(file, defaultConfigFile());
  return lines.map(line => {
    const words = line.replace(CALL, "").replace(/ --config \S+$/, "");
    execFileSync("sh", ["-c", `"${process.execPath}" "${PROGRAM}" ${words}`], {
      cwd: folder,
      input: "",
      env: { WEB_BRIDGE_CONFIG: file },
    });
    return readFileSync(file, "utf8");
  });
}

/** The configuration text after all of these lines. */
export const yamlOf = (lines: readonly string[]): string => textsAfter(lines).at(-1) ?? defaultConfigFile();

/** The configuration after all of these lines, as the sidecar reads it. @throws if there are none, or one is rejected */
export function configShown(page: string, heading: string): Config {
  const read = readConfig(yamlOf(configLines(page, heading)), {}, "/nowhere");
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  return read.config;
}
