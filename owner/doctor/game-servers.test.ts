import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { setProperties } from "../../bds/properties.ts";
import { makeServer } from "../../scripts/make-server.mjs";
import { examine, examineSeveral } from "./examine.ts";
import { type Finding, isProblem } from "./finding.ts";
import type { DoctorSystem } from "./target.ts";
import { fixtureWithSetup, LEVEL, MODULE } from "./testing/fixture.ts";
import { run } from "./testing/run-fix.ts";

// Own connections: passes on what the doctor asks.

const fixture = fixtureWithSetup();
const lobby = join(fixture.folder, "lobby");
const setup = (server: string, more = ""): string =>
  `npm run setup -- --server "${server}" --config "${fixture.config}"${more}`;

const doctor = (server: string, more: Partial<DoctorSystem> = {}): Promise<Finding[]> =>
  examine({ server, config: fixture.config }, { ...fixture.system, ...more });
const several = (...servers: string[]) => examineSeveral(servers, { config: fixture.config }, fixture.system);
const verdictOf = (findings: readonly Finding[] = [], id: string): string | undefined => {
  const found = findings.find(each => each.id === id);
  return found && `${found.state}: ${found.what}`;
};
const problems = (findings: readonly Finding[] = []) => findings.filter(isProblem);
const secrets = (server: string): string => join(server, "config", MODULE, "secrets.json");
/** The programs of these servers run. */
const running = (...folders: string[]): Pick<DoctorSystem, "processes"> => ({
  processes: {
    ...fixture.processes,
    pids: () => folders.map((_, n) => 4711 + n),
    linkOf: (pid, what) => {
      const folder = folders[pid - 4711] ?? "";
      return what === "exe" ? join(folder, "bedrock_server") : folder;
    },
    realPath: path => path,
  },
});

describe("of a copied folder the doctor", () => {
  const copy = join(fixture.folder, "copy of it");
  beforeAll(() => cpSync(fixture.server, copy, { recursive: true }));

  it("reports each beside the other while both run, and the fix removes the copy", async () => {
    for (const [server, other, pid] of [
      [copy, fixture.server, 4711],
      [fixture.server, copy, 4712],
    ] as const) {
      const found = await doctor(server, running(fixture.server, copy));
      expect(found.find(({ id }) => id === "other-server")).toMatchObject({
        state: "problem",
        what: `the server ${other} with the world ${LEVEL} (process ${pid}) also runs with the token of this sidecar, as a copy of a server's folder does: the two servers keep disconnecting each other`,
        fix: { command: setup(other, " --undo") },
      });
    }
    expect(verdictOf(await doctor(copy, running(fixture.server)), "other-server")).toMatch(/^note: /);
    await run(fixture, setup(copy, " --undo"));
    const found = await doctor(fixture.server, running(fixture.server, copy));
    expect(found.map(({ id }) => id)).not.toContain("other-server");
    rmSync(copy, { recursive: true });
  });

  it("does not mistake a renamed world for another one", async () => {
    const fetchTelling: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).endsWith("/bridge/status")) return response;
      const game = { world: { id: "w", name: LEVEL }, connectedAt: Date.now(), reportedAt: Date.now() };
      return Response.json({ ...((await response.json()) as object), game });
    };
    const name = (level: string): void =>
      fixture.edit(fixture.path("server.properties"), text => setProperties(text, { "level-name": level }));
    renameSync(fixture.world, fixture.path("worlds/Renamed"));
    name("Renamed");
    const findings = await fixture.doctor({ fetch: fetchTelling });
    expect(verdictOf(findings, "connected-world")).toContain("an earlier name of this one: run setup");
    expect(problems(findings).map(({ id }) => id)).toEqual(["world-name"]);
    renameSync(fixture.path("worlds/Renamed"), fixture.world);
    name(LEVEL);
  });
});

describe("of two game servers the doctor", () => {
  beforeAll(async () => {
    await makeServer(lobby, { levelName: "Lobby" });
    writeFileSync(join(lobby, "allowlist.json"), '[{"name":"Steve Alex"}]');
    await fixture.setUp(setup(lobby, " --as lobby"));
    await fixture.restartSidecar();
    fixture.keep();
  });
  afterEach(() => fixture.restore());

  it("shows the name of each in the sidecar, and that the add-on has the token of that name", async () => {
    for (const [server, name, which] of [
      [fixture.server, "main", "the first game server"],
      [lobby, "lobby", "one of servers"],
    ] as const) {
      const found = await doctor(server);
      expect(verdictOf(found, "server-name")).toBe(
        `ok: the sidecar calls it ${name}, ${which} in ${fixture.config}`,
      );
      expect(verdictOf(found, "bridge-token")).toBe(
        `ok: bridge-token in secrets.json is the sidecar's for ${name}`,
      );
      expect(problems(found)).toEqual([]);
    }
  });

  it("reports each separately and the sidecar once, with the advice to try prove", async () => {
    const parts = await several(fixture.server, lobby, `${lobby}/`);
    expect(parts.map(({ server, as }) => [server, as])).toEqual([
      [fixture.server, "main"],
      [lobby, "lobby"],
      [undefined, undefined],
    ]);
    const ids = parts.map(({ findings }) => findings.map(({ id }) => id));
    for (const part of ids.slice(0, 2)) {
      expect(part).toEqual(expect.arrayContaining(["server-folder", "bridge-token", "pack-connected"]));
      expect(part).not.toContain("running-settings");
      expect(part).not.toContain("prove");
    }
    const [, , sidecar = []] = ids;
    for (const id of ["running-settings", "token-accepted", "prove"])
      expect(sidecar.filter(each => each === id)).toEqual([id]);
    expect(sidecar.at(-1)).toBe("prove");
  });

  it("shows which of them is reporting", async () => {
    await fixture.startGame();
    await fixture.until(() => fixture.ready());
    const [first, second] = await several(fixture.server, lobby);
    expect(verdictOf(first?.findings, "pack-connected")).toContain("ok: ");
    expect(verdictOf(second?.findings, "pack-connected")).toContain("skipped: ");
    await fixture.stopGame();
  });

  it("names both if a pack has the other's token, and the fix sets its own", async () => {
    const right = readFileSync(secrets(lobby), "utf8");
    writeFileSync(secrets(lobby), readFileSync(secrets(fixture.server)));
    const [wrong] = problems(await doctor(lobby));
    expect(wrong).toEqual({
      id: "bridge-token",
      state: "problem",
      what: "bridge-token in secrets.json is that of main, and this game server was set up as lobby",
      fix: { text: "if it is main, use --as main instead", command: setup(lobby, " --as lobby") },
    });
    for (const order of [
      [fixture.server, lobby],
      [lobby, fixture.server],
    ])
      expect(problems((await several(...order))[2]?.findings)).toMatchObject([
        {
          id: "same-token",
          what: `${order.join(" and ")} have the token of main: only one of the two can be connected`,
          fix: { command: setup(lobby, " --as lobby") },
        },
      ]);
    expect(verdictOf(await doctor(fixture.server), "other-server")).toContain("run setup with --as lobby");
    await run(fixture, wrong?.fix.command ?? "");
    expect(readFileSync(secrets(lobby), "utf8")).toBe(right);
    expect(problems(await doctor(lobby))).toEqual([]);
  });

  it("reports a token that belongs to no server, and a server without a token", async () => {
    writeFileSync(secrets(lobby), '{"bridge-token":"none-of-theirs-0123456789"}');
    const wrong = async () => problems(await doctor(lobby)).map(({ what }) => what);
    expect(await wrong()).toEqual(["bridge-token in secrets.json is not the sidecar's for lobby"]);
    const file = join(fixture.folder, "sidecar/data/bridge-token-lobby");
    rmSync(file);
    expect(await wrong()).toEqual(["the sidecar has no token for lobby yet"]);
    writeFileSync(file, "with a blank");
    expect(await wrong()).toEqual([`${file}: does not contain a valid token`]);
  });

  it("identifies a folder without setup by its token", async () => {
    const copy = join(fixture.folder, "by hand");
    cpSync(lobby, copy, { recursive: true, filter: path => !path.includes("web-bridge-setup") });
    expect(verdictOf(await doctor(copy), "server-name")).toContain("calls it lobby, ");
    expect(problems((await several(lobby, copy))[2]?.findings)).toMatchObject([
      { id: "same-token", fix: { command: setup(copy, " --as lobby-2") } },
    ]);
  });
});
