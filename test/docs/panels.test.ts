import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { ROOT } from "../../scripts/paths.mjs";
import { readConfig } from "../../sidecar/config/read.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import { blocks, code, linesUnder, table, text } from "./pages.ts";

// Blocks of docs/panels.md: a-startup-command-of-your-own sh, a-startup-command-of-your-own text, the-first-start text
// Blocks of docs/panels.md: ports properties, ports yaml, discord-only yaml, updates-and-reinstalls sh

const PAGE = "docs/panels.md";
const egg = JSON.parse(text("deploy/pterodactyl/egg.json"));

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** The configuration that a block of the page changes. */
function configUnder(heading: string): Config {
  const found = readConfig(linesUnder(PAGE, heading, "yaml").join("\n"), {}, "/nowhere");
  if ("faults" in found) throw new Error(found.faults.join("\n"));
  return found.config;
}

describe("the page for owners on a hosting panel", () => {
  it("has the startup command, the ready line and the stop command of the egg", () => {
    expect(linesUnder(PAGE, "a-startup-command-of-your-own", "sh")).toEqual([egg.startup]);
    const { done } = JSON.parse(egg.config.startup);
    expect(linesUnder(PAGE, "a-startup-command-of-your-own", "text")).toEqual([done, egg.config.stop]);
  });

  it("explains every variable of the egg, in its order", () => {
    const names = egg.variables.map((variable: { env_variable: string }) => variable.env_variable);
    expect(table(PAGE, "variables").map(([cell]) => code(cell)[0])).toEqual(names);
  });

  it("quotes what the console asks at the first start", () => {
    const [question = "", connected = ""] = linesUnder(PAGE, "the-first-start", "text");
    for (const sentence of question.split(/(?<=\.) /))
      expect(read("owner/launch/offer-setup.ts")).toContain(sentence);
    expect(text("docs/install.md")).toContain(connected);
  });

  it("writes the same lines into server.properties as the egg", () => {
    const { find } = JSON.parse(egg.config.files)["server.properties"];
    const lines = Object.values<string>(find).map(line =>
      line
        .replaceAll(/\{\{[\w.]*\.port\}\}/g, "25601")
        .replaceAll(/\{\{[\w.]*GAME_ADDRESS\}\}/g, "203.0.113.7"),
    );
    expect(linesUnder(PAGE, "ports", "properties")).toEqual(lines);
  });

  it("sets the port of the page, or closes it and keeps Discord", () => {
    expect(configUnder("ports").modules.api.port).toBe(25_602);
    const { modules, webhooks } = configUnder("discord-only");
    expect([modules.api.host, webhooks.map(({ format }) => format)]).toEqual(["127.0.0.1", ["discord"]]);
  });

  it("runs setup by the archive's own command for one start", () => {
    const [line = ""] = linesUnder(PAGE, "updates-and-reinstalls", "sh");
    expect(line).toBe(egg.startup.replace("start.sh", "web-bridge setup"));
    expect(blocks(PAGE, "sh")).toHaveLength(2);
  });
});
