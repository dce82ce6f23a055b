import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { systemFiles } from "../../bds/system.ts";
import { newFolder } from "../../test/helpers/folder.ts";
import { needs } from "../../test/helpers/needs.ts";
import { examine } from "./examine.ts";
import { isProblem } from "./finding.ts";
import { fixtureWithSetup, LEVEL, MODULE } from "./testing/fixture.ts";
import { run } from "./testing/run-fix.ts";

const isRoot = process.getuid?.() === 0;
/** A user whom no file here belonged to before. */
const USER = 54321;
const owner = isRoot ? USER : (process.getuid?.() ?? 0);

const fixture = fixtureWithSetup();
const MAIN = "behavior_packs/web_bridge/scripts/main.js";
const SECRETS = `config/${MODULE}/secrets.json`;

needs("file modes, not Windows", process.platform !== "win32").describe("the server's user", () => {
  beforeAll(() => {
    if (isRoot) execFileSync("chown", ["-R", `${USER}:${USER}`, fixture.server]);
  });

  /** The only problem; its command leaves none. */
  async function fixed(id: string, what: RegExp, command: RegExp): Promise<void> {
    const found = await fixture.wrong();
    expect(found).toMatchObject([{ id, what: expect.stringMatching(what) }]);
    expect(found[0]?.fix.command).toMatch(command);
    await run(fixture, found[0]?.fix.command ?? "");
    expect(await fixture.problems()).toEqual([]);
  }

  it.each([
    [MAIN, 0o000],
    [SECRETS, 0o000],
    ["behavior_packs/web_bridge", 0o000],
    ["behavior_packs/web_bridge/scripts", 0o600],
    [`config/${MODULE}`, 0o000],
    [`worlds/${LEVEL}/world_behavior_packs.json`, 0o200],
  ])("is named when it may not read %s", async (path, mode) => {
    const { mode: before } = statSync(fixture.path(path));
    chmodSync(fixture.path(path), mode);
    const what = `^${path}: the server's user \\(uid ${owner}\\) cannot read it \\(owner ${owner}, mode `;
    await fixed("server-reads", new RegExp(what), new RegExp(`^chmod -R u\\+rX ".*${path}"$`));
    chmodSync(fixture.path(path), before);
  });

  needs("root", isRoot).it("gets all that is root's alone by one command", async () => {
    const places = ["behavior_packs/web_bridge", `config/${MODULE}`].map(place => fixture.path(place));
    const quoted = places.map(place => `"${place}"`).join(" ");
    execFileSync("chown", ["-R", "0:0", ...places]);
    execFileSync("chmod", ["-R", "go-rwx", ...places]);
    const userOf = () => ({ uid: USER, gid: USER, groups: [] });
    const [asUser] = await fixture.wrong({ userOf });
    expect(asUser?.fix.command).toBe(`sudo chown -R ${USER} ${quoted} && sudo chmod -R u+rX ${quoted}`);
    await fixed("server-reads", /web_bridge: .* and \d+ more$/, /^chown -R 54321 .* && chmod -R u\+rX /);
  });

  needs("root", isRoot).it("is given nothing that a link of a pack leads to elsewhere", async () => {
    const elsewhere = newFolder("elsewhere ");
    chmodSync(elsewhere, 0o700);
    const link = fixture.path("behavior_packs/web_bridge/link");
    symlinkSync(elsewhere, link);
    expect(await fixture.problems()).toEqual([]);
    rmSync(link);
  });

  it("is the user of a running server, with its groups", async () => {
    const { gid } = fixture.system.accessOf(fixture.path(SECRETS)) ?? { gid: 0 };
    const problems = async (groups: number[]) => {
      const userOf = () => ({ uid: 4321, gid: 4321, groups });
      return fixture.problems({ processes: fixture.runs(), userOf });
    };
    for (const place of ["behavior_packs", "config"])
      execFileSync("chmod", ["-R", "go+rX", fixture.path(place)]);
    chmodSync(fixture.path(SECRETS), 0o640);
    expect([await problems([]), await problems([gid])]).toEqual([["server-reads"], ["pack-connected"]]);
    expect(fixture.system.userOf(process.pid)).toMatchObject({ uid: process.getuid?.() });
    expect(fixture.system.userOf(-1)).toBeUndefined();
  });

  it("must be able to execute the program, except one for Windows", async () => {
    const [program, windows] = [fixture.path("bedrock_server"), fixture.path("bedrock_server.exe")];
    chmodSync(program, 0o644);
    expect(await fixture.problems({ platform: "win32" })).toEqual([]);
    renameSync(program, windows);
    expect(await fixture.problems()).toEqual([]);
    renameSync(windows, program);
    const what = /bedrock_server is not executable \(mode 644\)/;
    await fixed("server-program", what, /^chmod \+x ".*bedrock_server"$/);
  });
});

describe("the doctor", () => {
  beforeAll(() => fixture.keep());
  afterEach(() => fixture.restore());
  const files = (): string[] => [
    ...["permissions", "variables", "secrets"].map(name => fixture.path("config", MODULE, `${name}.json`)),
    join(fixture.world, "world_behavior_packs.json"),
    fixture.path("behavior_packs/web_bridge/manifest.json"),
    fixture.path("allowlist.json"),
    fixture.path("server.properties"),
    fixture.config,
    fixture.tokenFile,
  ];

  it("names each file that it cannot read once, and nothing else", async () => {
    for (const denied of files()) {
      const fault = { code: "EACCES", path: denied };
      const read = (path: string): Uint8Array | undefined => {
        if (path !== denied) return systemFiles.read(path);
        throw Object.assign(new Error(`EACCES: permission denied, open '${denied}'`), fault);
      };
      const found = await fixture.wrong({ files: { ...systemFiles, read } });
      expect(found).toMatchObject([{ what: `EACCES: permission denied, open '${denied}'` }]);
      expect(found[0]?.fix.text).toMatch(
        /^run doctor as the (user the server runs as|sidecar's user|owner of the)/,
      );
    }
  });

  needs("root", isRoot).it("is to be run as the owner of the sidecar's files", async () => {
    chownSync(fixture.config, 54322, 54322);
    chownSync(dirname(fixture.config), 54322, 54322);
    chmodSync(fixture.config, 0o600);
    chmodSync(fixture.folder, 0o755);
    process.seteuid?.(65_534);
    const found = await fixture.wrong().finally(() => process.seteuid?.(0));
    const { fix } = found.find(({ id }) => id === "config") ?? {};
    expect(fix?.command).toMatch(/^sudo -u '#54322' npm run doctor -- --server ".*" --config ".*"$/);
    expect(fix?.text).toMatch(
      /owner of the files, user 54322; or, to run the sidecar as this user instead: sudo chown -R /,
    );
  });

  needs("root", isRoot).it(
    "does not send a token of another user than the configuration's as root",
    async () => {
      chownSync(fixture.config, 54322, 54322);
      const findings = await fixture.doctor();
      expect(findings.filter(isProblem)).toMatchObject([
        { id: "token-file", what: expect.stringMatching(/belongs to another user \(0\) than .* \(54322\)$/) },
      ]);
      expect(findings.find(({ id }) => id === "token-accepted")?.state).toBe("skipped");
    },
  );

  it("accepts the server's program in place of its folder", async () => {
    const given = { server: fixture.path("bedrock_server"), config: fixture.config };
    expect(await examine(given, fixture.system)).toEqual(await fixture.doctor());
  });
});
