import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, renameSync, statSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { needs } from "../helpers/runner.ts";
import { MODULE } from "./breaks.ts";
import { Fixture } from "./fixture.ts";
import { follow } from "./mends.ts";

const isRoot = process.getuid?.() === 0;
/** Somebody that no file here belongs to before. */
const USER = 54321;
const owner = isRoot ? USER : (process.getuid?.() ?? 0);

const fixture = new Fixture();
beforeAll(async () => {
  await fixture.make();
  await fixture.setUp();
  if (isRoot) execFileSync("chown", ["-R", `${USER}:${USER}`, fixture.server]);
});
afterAll(() => fixture.remove());

const MAIN = "behavior_packs/web_bridge/scripts/main.js";
const SECRETS = `config/${MODULE}/secrets.json`;

async function mended(id: string, what: RegExp, mend: RegExp): Promise<void> {
  const found = await fixture.wrong();
  expect(found).toEqual([
    { id, state: "problem", what: expect.stringMatching(what), mend: expect.stringMatching(mend) },
  ]);
  await follow(fixture, found[0]?.what ?? "", found[0]?.mend ?? "");
  expect(await fixture.problems()).toEqual([]);
}

needs("file modes, not Windows", process.platform !== "win32").all(() => {
  it.each([
    [MAIN, 0o000],
    [SECRETS, 0o000],
    ["behavior_packs/web_bridge", 0o000],
    ["behavior_packs/web_bridge/scripts", 0o600],
    [`config/${MODULE}`, 0o000],
    [`worlds/Bedrock level/world_behavior_packs.json`, 0o200],
  ])("names it when the server's user may not read %s", async (path, mode) => {
    const { mode: before } = statSync(fixture.path(path));
    chmodSync(fixture.path(path), mode);
    await mended(
      "server-reads",
      new RegExp(`^${path}: the server's user \\(uid ${owner}\\) may not read it \\(owner ${owner}, mode `),
      new RegExp(`^chmod -R u\\+rX ".*${path}"$`),
    );
    chmodSync(fixture.path(path), before);
  });

  needs("root", isRoot).it("names it when a file that the server has to read is root's alone", async () => {
    chownSync(fixture.path(SECRETS), 0, 0);
    await mended(
      "server-reads",
      /secrets\.json: .*\(owner 0, mode \d+\)$/,
      /^chown -R 54321 ".*secrets\.json"$/,
    );
  });

  needs("root", isRoot).it(
    "has all that is root's alone given to the server's user by one command",
    async () => {
      const places = ["behavior_packs/web_bridge", `config/${MODULE}`].map(place => fixture.path(place));
      execFileSync("chown", ["-R", "0:0", ...places]);
      execFileSync("chmod", ["-R", "go-rwx", ...places]);
      chmodSync(places[1] ?? "", 0o600);
      const quoted = places.map(place => `"${place}"`).join(" ");
      const command = `chown -R 54321 ${quoted} && chmod -R u+rX "${places[1]}"`;
      const as = async (uid: number) => {
        const userOf = () => ({ uid, gid: uid, groups: [] });
        return (await fixture.wrong({ userOf })).find(({ id }) => id === "server-reads")?.mend ?? "";
      };
      expect(await as(0)).toBe(command);
      expect(await as(USER)).toBe(`sudo ${command}`);
      expect(await as(4321)).toBe(`sudo ${command.replace("&& ", "&& sudo ")}`);
      await mended("server-reads", /web_bridge: .* nor \d+ more$/, /^chown -R /);
      execFileSync("chmod", ["-R", "go+rX", ...places]);
      chmodSync(fixture.path(SECRETS), 0o600);
    },
  );

  it("goes by the user that a running server has, and by the groups he is in", async () => {
    const signs = fixture.runs();
    const { gid } = fixture.around.accessOf(fixture.path(SECRETS)) ?? { gid: 0 };
    const as = (groups: number[]) => ({ signs, userOf: () => ({ uid: 4321, gid: 4321, groups }) });
    const problems = async (groups: number[]) =>
      (await fixture.problems(as(groups))).filter(id => id !== "pack-connected");
    expect(await problems([])).toEqual(["server-reads"]);
    chmodSync(fixture.path(SECRETS), 0o640);
    expect([await problems([]), await problems([gid])]).toEqual([["server-reads"], []]);
    chmodSync(fixture.path(SECRETS), 0o600);
    expect(fixture.around.userOf(process.pid)).toMatchObject({
      uid: process.getuid?.(),
      gid: process.getgid?.(),
    });
    expect(fixture.around.userOf(-1)).toBeUndefined();
  });

  it("names a program of the server that cannot be executed, and none of Windows or that runs", async () => {
    const [program, windows] = [fixture.path("bedrock_server"), fixture.path("bedrock_server.exe")];
    chmodSync(program, 0o644);
    expect(await fixture.problems({ platform: "win32" })).toEqual([]);
    renameSync(program, windows);
    expect(await fixture.problems()).toEqual([]);
    renameSync(windows, program);
    await mended(
      "server-program",
      /bedrock_server is not executable \(mode 644\)/,
      /^chmod \+x ".*bedrock_server"$/,
    );
  });
});
