import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { Int8 } from "nbtify";
import { setProperties } from "../../bds/properties.ts";
import { levelDat } from "../../scripts/make-server.mjs";
import { starts } from "./testing/breakages.ts";
import { type Fixture, fixtureWithSetup, MODULE } from "./testing/fixture.ts";
import { type Situation, situation, testSituations } from "./testing/situations.ts";

const fixture = fixtureWithSetup("--keep-achievements");

const properties =
  (values: Record<string, string>) =>
  (from: Fixture): void =>
    from.edit(from.path("server.properties"), text => setProperties(text, values));
const commands =
  (value: object | string) =>
  (from: Fixture): void => {
    mkdirSync(from.path("config"), { recursive: true });
    writeFileSync(
      from.path("config/commands.json"),
      typeof value === "string" ? value : JSON.stringify(value),
    );
  };
const level =
  (experiments: "on" | "off") =>
  async (from: Fixture): Promise<void> =>
    writeFileSync(join(from.world, "level.dat"), await levelDat(experiments));
const output = (what: string, rest: Parameters<typeof situation>[2]): Situation =>
  situation("console-output", what, rest);
const closes = (what: string, rest: Parameters<typeof situation>[2]): Situation =>
  situation("console-commands", what, rest);
const starting = (what: string, rest: Parameters<typeof situation>[2]): Situation =>
  situation("launch", what, rest);

it("finds no problem after setup, and checks nothing that only the other pack needs", async () => {
  const findings = await fixture.doctor();
  expect(findings.filter(({ state }) => state === "problem")).toEqual([]);
  expect(await starts(fixture.server)).toBe(true);
  const ids = findings.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["pack", "pack-listed", "achievements", "console-output"]));
  const others = ["beta-apis", "script-folder", "permissions", "variables", "bridge-token", "content-log"];
  expect(ids.filter(id => others.includes(id))).toEqual([]);
});

testSituations(fixture, [
  situation("pack", "the pack is gone, and setup puts in the same kind", {
    prepare: from => rmSync(from.path("behavior_packs/web_bridge"), { recursive: true }),
    says: "problem: the behavior pack is not in behavior_packs",
    first: () => undefined,
  }),
  situation("pack", "a file of it was changed", {
    prepare: from => from.edit(from.path("behavior_packs/web_bridge/scripts/main.js"), text => `${text}//`),
    says: "problem: scripts/main.js in behavior_packs/web_bridge differs from this build",
    first: () => undefined,
  }),
  situation("achievements", "no experiment was on", {
    says: "ok: no experiment has been on in this world, and the add-on keeps its achievements",
  }),
  situation("achievements", "an experiment has been on", {
    prepare: level("on"),
    says: "note: an experiment has been on in this world: its achievements are gone permanently; for all features, run:",
  }),
  situation(
    "achievements",
    "a tool has turned an experiment on, and the game has not saved the world since",
    {
      prepare: async from => {
        const experiments = { gametest: new Int8(1), experiments_ever_used: new Int8(0) };
        writeFileSync(join(from.world, "level.dat"), await levelDat("off", { experiments }));
      },
      says: "note: an experiment has been on in this world: its achievements are gone permanently",
    },
  ),
  situation("achievements", "cheats are on", {
    prepare: properties({ "allow-cheats": "true" }),
    says: "note: allow-cheats is true in server.properties: cheats turn off achievements in this world",
  }),
  output("the add-on's lines do not appear on the console", {
    prepare: properties({ "content-log-console-output-enabled": "false" }),
    says: "problem: content-log-console-output-enabled is not true: the add-on cannot reach the sidecar",
    first: () => undefined,
  }),
  output("only errors appear on the console", {
    prepare: properties({ "content-log-level": "error" }),
    says: "problem: content-log-level is error: the lines by which the add-on reaches the sidecar are dropped",
    fix: /set content-log-level=info in .*server\.properties/,
    first: properties({ "content-log-level": "info" }),
  }),
  output("warnings appear on the console", {
    prepare: properties({ "content-log-level": "warning" }),
    says: "ok: the add-on's lines reach the server's console",
  }),
  output("the game writes the add-on's lines into its log file too", {
    prepare: properties({ "content-log-file-enabled": "true" }),
    says: /^note: content-log-file-enabled is true: .+ since content-log-level=error would drop them/,
  }),
  closes("a command of the add-on is closed to everyone", {
    prepare: commands({ permission_levels: { "bridge:console": "internal", kick: "admin" } }),
    says: /^problem: config.commands\.json closes bridge:console to the console, where launch types them/,
    fix: /set "bridge:console": "owner" in permission_levels of .*commands\.json/,
    first: commands({ permission_levels: { "bridge:console": "owner", kick: "admin" } }),
  }),
  closes("all commands are closed to everyone", {
    prepare: commands({ default_permission_level: "internal", permission_levels: { kick: "admin" } }),
    says: "closes bridge:console, allowlist to the console",
    fix: /"bridge:console": "owner", "allowlist": "owner"/,
  }),
  closes("commands have other levels", {
    prepare: commands({ default_permission_level: "admin" }),
    says: /^ok: config.commands\.json leaves the console the commands that launch types$/,
  }),
  closes("the file cannot be read", {
    prepare: commands("{"),
    says: /^note: .*commands\.json: .+: not checked whether it closes commands to the console$/,
  }),
  starting("the game server was not started by launch", {
    system: from => ({ processes: from.runs(), isUnderLaunch: () => false }),
    says: "problem: the game server was not started by launch, which connects the add-on that keeps achievements",
    fix: /stop it with "stop" .+ and stop the sidecar, .+ npm run launch -- --server ".*my server" --config ".*config\.yml"$/,
  }),
  situation("sidecar-running", "the sidecar does not run, and launch starts both", {
    prepare: from => from.stopSidecar(),
    says: "problem: the sidecar is not running",
    fix: /npm run launch -- --server ".*my server" --config ".*config\.yml"$/,
  }),
  situation("sidecar-running", "launch has started it before, and its data was moved away since", {
    prepare: async from => {
      await from.stopSidecar();
      rmSync(from.path("../sidecar/data/server.json"));
      writeFileSync(from.path("../sidecar/data/run-by"), "launch");
    },
    says: "problem: the sidecar is not running",
    fix: /npm run launch -- --server ".*my server" --config ".*config\.yml"$/,
  }),
  starting("it is not known what has started the game server", {
    system: from => ({ processes: from.runs(), isUnderLaunch: () => undefined }),
    says: "skipped: whether launch has started the game server",
  }),
]);

it("says that launch has started the game server", async () => {
  const system = { processes: fixture.runs(), isUnderLaunch: () => true };
  expect(await fixture.verdictOf("launch", system)).toMatch(/^ok: launch has started the game server/);
  // The game of this test has no console.
  expect(await fixture.problems(system)).toEqual(["pack-connected"]);
});

it("does not take the settings of the other pack for its own", async () => {
  fixture.keep();
  await fixture.setUp(fixture.command("--all-features"));
  writeFileSync(fixture.path(`config/${MODULE}/secrets.json`), "{");
  await fixture.setUp(fixture.command("--keep-achievements"));
  expect(await fixture.problems()).toEqual([]);
  fixture.restore();
});
