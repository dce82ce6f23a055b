import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { makeServer } from "../../scripts/make-server.mjs";
import { readConfig } from "../../sidecar/config/read.ts";
import { ask } from "../helpers/client.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { startTestSidecar } from "../helpers/sidecar.ts";
import { toolPath } from "../helpers/tools.ts";
import { IS_BUILT } from "../package/packages.ts";
import { linesUnder, text } from "./pages.ts";

// Blocks of docs/several-servers.md: five-steps sh, what-setup-writes yaml, chat sh, keys sh, for-web-developers sh
// Blocks of docs/troubleshooting.md: a-name-for-each-game-server sh

const PAGE = "docs/several-servers.md";
const lines = (heading: string, language: string, page = PAGE) => linesUnder(page, heading, language);

const configOf = (yaml: string) => {
  const read = readConfig(yaml, {}, "/");
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  return read.config;
};

needs("npm run build", IS_BUILT).describe("the steps to several game servers", () => {
  const folder = newFolder("several ");
  const config = join(folder, "config.yml");
  const data = join(folder, "data");

  /** Runs a command of the page with the folders of a test instead of those of a system. */
  function run(line: string, ...more: string[]) {
    const [, name = "", rest = ""] = /^\.\/web-bridge (\w+) (.*)$/.exec(line) ?? [];
    const args = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
    const own = args.map(arg => arg.replace(/^\/srv\//, `${folder}/`));
    return spawnSync(process.execPath, [toolPath(name), ...own, "--config", config, ...more], {
      encoding: "utf8",
    });
  }

  it("result in two with their own names and tokens, which the doctor shows, and in a key for one of them", async () => {
    for (const name of ["survival", "lobby"]) await makeServer(join(folder, name), { levelName: name });
    const [setup = "", start = "", doctor = ""] = lines("five-steps", "sh");
    expect(lines("a-name-for-each-game-server", "sh", "docs/troubleshooting.md")).toEqual([setup]);
    expect(run('./web-bridge setup --server "/srv/survival"', "--yes")).toMatchObject({
      status: 0,
      stderr: "",
    });
    const second = run(setup, "--yes");
    expect([second.status, second.stderr]).toEqual([0, ""]);
    expect(start).toMatch(/^\.\/start\.sh --server "\/srv\/lobby" --as \S+ --no-sidecar$/);
    expect(second.stdout).toContain(`${start.replace(/^.*(?= --as )/, "")}\n`);
    expect(configOf(readFileSync(config, "utf8")).servers).toMatchObject([{ name: "lobby" }]);
    const tokens = ["bridge-token", "bridge-token-lobby"].map(name => readFileSync(join(data, name), "utf8"));
    expect(new Set(tokens).size).toBe(2);
    const { stdout } = run(doctor);
    expect(stdout).toContain(`\n${folder}/lobby (lobby):\n`);
    expect(stdout).toContain("ok  bridge-token in secrets.json is the sidecar's for lobby\n");
    expect(stdout).toContain("ok  bridge-token in secrets.json is the sidecar's for main\n");

    const [relay = ""] = lines("chat", "sh");
    expect(run(relay).status).toBe(0);
    expect(configOf(readFileSync(config, "utf8")).modules.api.chat.relay).toBe(true);
    const [key = ""] = lines("keys", "sh");
    expect(run(key).stderr).toContain('servers: "creative": expected one or more of main, lobby');
    expect(run("./web-bridge config add servers {name:\u00a0creative}".replace("\u00a0", "")).status).toBe(1);
    expect(run('./web-bridge config add servers "{name: creative}"').status).toBe(0);
    expect(run(key)).toMatchObject({ status: 0, stderr: "" });
    expect(configOf(readFileSync(config, "utf8")).modules.api.adminKeys).toMatchObject([
      { name: "panel", servers: ["lobby", "creative"] },
    ]);
    mkdirSync(data, { recursive: true });
    const entry = {
      at: 1,
      key: "panel",
      address: "::1",
      action: "whitelist.add",
      name: "Ari",
      outcome: "whitelisted",
    };
    const entries = ["lobby", "main"].map(server => JSON.stringify({ ...entry, server }));
    writeFileSync(join(data, "audit.jsonl"), `${entries.join("\n")}\n`);
    const [audit = ""] = /\.\/web-bridge audit [^`]+/.exec(text(PAGE)) ?? [];
    expect(run(audit).stdout).toMatch(/^.* panel \(::1\) {2}lobby: added to the whitelist: Ari\n$/);
    const undo = /\.\/web-bridge setup [^`]* --undo/.exec(text(PAGE))?.[0] ?? "";
    expect(run("./web-bridge config remove modules.api.admin-keys panel").status).toBe(0);
    // The file has been edited since.
    expect(run(undo, "--yes").stdout).toContain("servers: lobby is added, beside the first game server");
    const [remove = ""] = /\.\/web-bridge config remove servers lobby/.exec(text(PAGE)) ?? [];
    expect(run(remove).status).toBe(0);
    expect(configOf(readFileSync(config, "utf8")).servers).toMatchObject([{ name: "creative" }]);
  });
});

describe("the page about several game servers", () => {
  it("shows a valid configuration", () => {
    expect(configOf(lines("what-setup-writes", "yaml").join("\n"))).toMatchObject({
      server: { name: "survival" },
      servers: [
        { name: "lobby", title: "Lobby", info: { address: "lobby.example.com", port: 19_142 } },
        { name: "creative", title: "" },
      ],
    });
  });

  it("shows working calls", async () => {
    const sidecar = await startTestSidecar({ yaml: "servers: [{name: lobby}]" });
    const paths = lines("for-web-developers", "sh").map(line => /localhost:8080(\S+)$/.exec(line)?.[1] ?? "");
    expect(paths).toHaveLength(2);
    const [all, players] = await Promise.all(paths.map(path => ask(sidecar.base, path)));
    expect(all?.status).toBe(200);
    expect(JSON.parse(all?.text ?? "")).toMatchObject([{ name: "main" }, { name: "lobby" }]);
    // No game server reports here.
    expect(players?.status).toBe(503);
    await sidecar.stop();
  });
});
