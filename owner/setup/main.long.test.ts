import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "@jest/globals";
import { needs } from "../../test/helpers/needs.ts";
import { Bench } from "../../test/helpers/server-setup.ts";
import { runTool } from "../../test/helpers/tools.ts";
import { answer, HAS_SCRIPT, run } from "./testing/command.ts";

let bench: Bench;
let always: string[];
beforeEach(async () => {
  bench = await new Bench().make();
  always = ["--server", bench.server, "--config", bench.config];
});

needs("script, of Linux", HAS_SCRIPT).it(
  "asks at a terminal for the form, with a picture, and for the list of past players, with its content",
  async () => {
    const { code, out } = await answer(
      always,
      [/All features, or keep achievements\?/, "a\r"],
      [/Plain form or chest\?/, "c\r"],
      [/Show everyone the list\?/, "yes\r"],
      [/turns off achievements[\s\S]+Make these changes\?/, "b\r"],
    );
    expect(code).toBe(0);
    expect(out).toContain(", verified");
    expect(readdirSync(bench.path("backups"))).toHaveLength(1);
    expect(out).toContain("[ ][ ][G][ ][ ][ ][R][ ][ ]");
    expect(out.indexOf("Every player has to take a resource")).toBeLessThan(out.indexOf("Changes:"));
    expect(bench.read(bench.config)).toContain("link-form: chest");
    expect(out).toMatch(/name, first\s+and last visit, number of visits, playtime, deaths and kills/);
    expect(bench.read(bench.config)).toContain("show: everybody");
  },
);

it.each([
  ["systemd:web-bridge", /restart the sidecar: {2}systemctl restart web-bridge\n/, /3\..+npm run doctor/],
  [
    "compose",
    /restart the sidecar: {2}docker compose -f deploy\/docker\/compose.yml restart web-bridge\n/,
    /3\..+ run --rm doctor\n.*run --rm setup --server .+ --config .+ --undo/,
  ],
  [
    "launch",
    /1\. start the game server and the sidecar: {2}npm run launch -- --server .+\n/,
    /2\..+npm run doctor/,
  ],
])("prints how to restart a sidecar that is run by %s", async (by, restart, rest) => {
  mkdirSync(join(bench.folder, "sidecar/data"), { recursive: true });
  writeFileSync(join(bench.folder, "sidecar/data/run-by"), `${by}\n`);
  const { out } = await run(...always, "--yes");
  expect(out).toMatch(restart);
  expect(out).toMatch(rest);
});

it.each([
  [
    "systemd:web-bridge",
    /2\. if that has not started .+ \(docs\/achievements\.md\): {2}npm run launch -- .+ --no-sidecar\n/,
  ],
  [
    "compose",
    /2\. if that has not started the game server, start it with launch \(docs\/achievements\.md\)\n/,
  ],
])("says how to start a game server that keeps achievements beside a sidecar run by %s", async (by, step) => {
  mkdirSync(join(bench.folder, "sidecar/data"), { recursive: true });
  writeFileSync(join(bench.folder, "sidecar/data/run-by"), `${by}\n`);
  const { out } = await run(...always, "--yes", "--keep-achievements");
  expect(out).toMatch(/1\. restart the sidecar: /);
  expect(out).toMatch(step);
});

it("says what happens next when it is offered at the start of both", async () => {
  const { out } = await runTool("setup", [...always, "--yes"], {
    env: { ...process.env, WEB_BRIDGE_RUN_BY: "launch" },
  });
  expect(out).toMatch(/1\. the game server starts now; its console then shows/);
  expect(out).not.toContain("npm run launch");
});

it("leaves a sidecar on another machine to its owner", async () => {
  const { out } = await run(...always, "--yes", "--bridge-url", "https://sidecar.example");
  expect(out).toMatch(
    /1\. start \(or restart\) the sidecar on its own machine \(docs\/remote-sidecar\.md\)\n {2}2\. start the game server;/,
  );
});

it("escapes terminal control codes in names from the server", async () => {
  const foreign = "\u001b]0;owned\u0007\u009b31m";
  writeFileSync(bench.path("server.properties"), `level-name=${foreign}\n`);
  for (const args of [["--yes"], ["--yes", "--json"], ["--undo"]]) {
    const { out, err } = await run(...always, ...args);
    expect((out + err).replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  }
  expect((await run(...always, "--yes")).err).toContain("\\u001b]0;owned\\u0007\\u009b31m");
});

it("prints JSON", async () => {
  const done = JSON.parse((await run(...always, "--yes", "--json")).out);
  expect(done).toMatchObject({ ok: true, server: bench.server, end: "done" });
  expect(done.changes[0]).toEqual({
    place: "behavior_packs/web_bridge",
    lines: [expect.stringMatching(/^Web Bridge: not installed -> /)],
  });
  rmSync(bench.path("server.properties"));
  const refused = await run(...always, "--yes", "--json");
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.out)).toEqual({
    ok: false,
    faults: [expect.stringContaining("server.properties")],
  });
});
