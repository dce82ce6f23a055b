import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { examine } from "../../owner/doctor/examine.ts";
import { type Finding, isProblem } from "../../owner/doctor/finding.ts";
import { examineSeveral } from "../../owner/doctor/several.ts";
import type { Surroundings } from "../../owner/doctor/target.ts";
import { makeServer } from "../../scripts/make-server.mjs";
import { STATUS_PATH } from "../../shared/status.ts";
import { MODULE } from "./breaks.ts";
import { Fixture } from "./fixture.ts";
import { follow } from "./mends.ts";

// Own connections: passes on what the doctor asks.

const fixture = new Fixture();
const lobby = join(fixture.folder, "lobby");
const setup = (server: string, more = ""): string =>
  `npm run setup -- --server "${server}" --config "${fixture.config}"${more}`;
beforeAll(async () => {
  await fixture.stand();
  await makeServer(lobby, { levelName: "Lobby" });
  writeFileSync(join(lobby, "allowlist.json"), '[{"name":"Steve Alex"}]');
  await fixture.setUp(setup(lobby, " --as lobby"));
  await fixture.restartSidecar();
});
afterAll(() => fixture.remove());

const doctor = (server: string, more: Partial<Surroundings> = {}): Promise<Finding[]> =>
  examine({ server, config: fixture.config }, { ...fixture.around, ...more });
const several = (...servers: string[]) => examineSeveral(servers, { config: fixture.config }, fixture.around);
const told = (findings: readonly Finding[], id: string): string | undefined => {
  const found = findings.find(each => each.id === id);
  return found && `${found.state}: ${found.what}`;
};
const problems = (findings: readonly Finding[]) => findings.filter(isProblem);
const secrets = (server: string): string => join(server, "config", MODULE, "secrets.json");

describe("of two game servers the doctor", () => {
  it("says what the sidecar calls each, and that the pack has the token of that name", async () => {
    const [first, second] = [await doctor(fixture.server), await doctor(lobby)];
    expect(told(first, "server-name")).toBe(
      `ok: the sidecar calls it main, the first game server in ${fixture.config}`,
    );
    expect(told(second, "server-name")).toBe(
      `ok: the sidecar calls it lobby, one of servers in ${fixture.config}`,
    );
    expect(told(first, "bridge-token")).toBe("ok: bridge-token in secrets.json is the sidecar's for main");
    expect(told(second, "bridge-token")).toBe("ok: bridge-token in secrets.json is the sidecar's for lobby");
    for (const each of [first, second]) {
      expect(problems(each)).toEqual([]);
      expect(told(each, "running-settings")).toContain("ok: the sidecar runs with what is in");
      expect(told(each, "token-accepted")).toContain("ok: ");
      expect(told(each, "servers-set-up")).toBeUndefined();
    }
  });

  it("reports each by itself and the sidecar once", async () => {
    const parts = await several(fixture.server, lobby, `${lobby}/`);
    expect(parts.map(({ server, as }) => [server, as])).toEqual([
      [fixture.server, "main"],
      [lobby, "lobby"],
      [undefined, undefined],
    ]);
    const ids = parts.map(({ findings }) => findings.map(({ id }) => id));
    for (const part of ids.slice(0, 2)) {
      expect(part).toEqual(expect.arrayContaining(["server-folder", "bridge-token", "pack-connected"]));
      expect(part).not.toContain("config");
      expect(part).not.toContain("running-settings");
    }
    const [, , sidecar = []] = ids;
    for (const id of ["config", "sidecar-running", "running-settings"])
      expect(sidecar.filter(each => each === id)).toEqual([id]);
    expect(sidecar).not.toContain("same-token");
    expect(ids.flat().filter(id => id === "proved")).toEqual([sidecar.at(-1)]);
  });

  it("sees which of them reports", async () => {
    await fixture.startGame();
    await fixture.until(() => fixture.ready());
    const [first, second] = await several(fixture.server, lobby);
    expect(told(first?.findings ?? [], "pack-connected")).toContain("ok: ");
    expect(told(second?.findings ?? [], "pack-connected")).toContain("skipped: ");
    await fixture.stopGame();
  });

  it("names both where a pack has the token of another one, and what mends it", async () => {
    const right = readFileSync(secrets(lobby), "utf8");
    writeFileSync(secrets(lobby), readFileSync(secrets(fixture.server)));
    const [wrong] = problems(await doctor(lobby));
    expect(wrong).toEqual({
      id: "bridge-token",
      state: "problem",
      what: "bridge-token in secrets.json is that of main, and this game server was set up as lobby",
      mend: `${setup(lobby)} --as lobby  (or, where it is main: ${setup(lobby)} --as main)`,
    });
    const shared = problems((await several(fixture.server, lobby))[2]?.findings ?? []);
    expect(shared).toEqual([
      {
        id: "same-token",
        state: "problem",
        what: `${fixture.server} and ${lobby} have the token of main: of two such game servers only one can be connected`,
        mend: `${setup(lobby)} --as lobby`,
      },
    ]);
    const [, , sidecar] = await several(lobby, fixture.server);
    expect(problems(sidecar?.findings ?? [])).toEqual([
      expect.objectContaining({ id: "same-token", mend: `${setup(lobby)} --as lobby` }),
    ]);
    expect(told(await doctor(fixture.server), "other-server")).toContain("run setup with --as lobby");
    expect(told(await doctor(fixture.server), "other-server")).not.toContain("lobby-2");
    await follow(fixture, wrong?.what ?? "", wrong?.mend ?? "");
    expect(readFileSync(secrets(lobby), "utf8")).toBe(right);
    expect(problems(await doctor(lobby))).toEqual([]);
  });

  it("says what it means for players where a game may not tell who they are", async () => {
    const back = readFileSync(join(lobby, "server.properties"), "utf8");
    writeFileSync(join(lobby, "server.properties"), `${back}\nonline-mode=false\n`);
    expect(told(await doctor(lobby), "same-player")).toContain("link, hide and block on each by itself");
    writeFileSync(join(lobby, "server.properties"), back);
    expect(told(await doctor(lobby), "same-player")).toBeUndefined();
  });

  it("says that a token is none of theirs", async () => {
    const right = readFileSync(secrets(lobby), "utf8");
    writeFileSync(secrets(lobby), '{"bridge-token":"none-of-theirs-0123456789"}');
    expect(problems(await doctor(lobby))).toEqual([
      expect.objectContaining({ what: "bridge-token in secrets.json is not the sidecar's for lobby" }),
    ]);
    writeFileSync(secrets(lobby), right);
  });

  it("names both where the sidecar that runs takes the token for another one", async () => {
    const telling: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).endsWith(STATUS_PATH)) return response;
      return Response.json({ ...((await response.json()) as object), server: "hub" });
    };
    expect(problems(await doctor(lobby, { fetch: telling }))).toEqual([
      expect.objectContaining({
        id: "running-server",
        what: `the sidecar that runs takes this token for hub, and ${fixture.config} has it for lobby`,
      }),
    ]);
  });

  it("knows a folder that setup was never run for by the token that it has", async () => {
    const copy = join(fixture.folder, "by hand");
    cpSync(lobby, copy, { recursive: true, filter: path => !path.includes("web-bridge-setup") });
    expect(told(await doctor(copy), "server-name")).toContain("calls it lobby, ");
    expect(problems((await several(lobby, copy))[2]?.findings ?? [])).toMatchObject([
      { id: "same-token", mend: `${setup(copy)} --as lobby-2` },
    ]);
    expect(told(await doctor(copy), "other-server")).toBe(
      `note: the server ${lobby} with the world Lobby has the token of this sidecar for lobby, too: each game server needs a name of its own: for one of them, run setup with --as lobby-2`,
    );
  });

  it("names an entry that no folder was set up as, and a token that could be guessed", async () => {
    const before = readFileSync(fixture.config, "utf8");
    fixture.edit(fixture.config, text =>
      text.replace("servers:\n", "servers:\n  - name: survival\n    token: short\n"),
    );
    const found = await doctor(lobby);
    expect(told(found, "servers-set-up")).toBe(
      `note: no folder was set up as survival, which ${fixture.config} lists: for one on this machine run setup with --as survival; of one elsewhere nothing is known here`,
    );
    expect(found).toContainEqual({
      id: "token-file",
      state: "note",
      what: expect.stringContaining("the token of survival in servers could be guessed"),
    });
    writeFileSync(fixture.config, before);
  });

  it("says of a token's file that is none what mends it", async () => {
    const file = join(fixture.folder, "sidecar/data/bridge-token-lobby");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, "with a blank");
    expect(problems(await doctor(lobby))[0]).toMatchObject({
      id: "bridge-token",
      what: "the sidecar has no token for lobby yet",
    });
    expect(problems(await doctor(fixture.server))).toContainEqual({
      id: "token-file",
      state: "problem",
      what: `${file}: what is in it cannot be a token`,
      mend: `delete it, then: ${setup(fixture.server)}`,
    });
    writeFileSync(file, before);
  });
});
