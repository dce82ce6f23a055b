import { randomUUID } from "node:crypto";
import { cpSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { setProperties } from "../../owner/bds/properties.ts";
import { examine } from "../../owner/doctor/examine.ts";
import type { Finding } from "../../owner/doctor/finding.ts";
import type { Surroundings } from "../../owner/doctor/target.ts";
import { PATHS } from "../../shared/frames.ts";
import { STATUS_PATH } from "../../shared/status.ts";
import { WIRE_OLDEST, WIRE_VERSION } from "../../shared/version.ts";
import { Fixture, LEVEL } from "./fixture.ts";
import { follow } from "./mends.ts";

// Own connections: plays a pack to the bridge listener, which is not public.

let fixture: Fixture;
let copy: string;
beforeEach(async () => {
  fixture = await new Fixture().stand();
  copy = join(fixture.folder, "copy of it");
  cpSync(fixture.server, copy, { recursive: true });
});
afterEach(() => fixture.remove());

/** The programs of these servers run. */
const running = (...folders: string[]): Pick<Surroundings, "signs"> => ({
  signs: {
    ...fixture.signs,
    pids: () => folders.map((_, n) => 4711 + n),
    linkOf: (pid, what) => {
      const folder = folders[pid - 4711] ?? "";
      return what === "exe" ? join(folder, "bedrock_server") : folder;
    },
    realPath: path => path,
  },
});
const doctor = (server: string, more: Partial<Surroundings>): Promise<Finding[]> =>
  examine({ server, config: fixture.config }, { ...fixture.around, ...more });
const problemsOf = (findings: readonly Finding[], id: string) =>
  findings.flatMap(each => (each.state === "problem" && each.id === id ? [each] : []));

it("a copy of the folder that runs with the first is found from either, and taken out by the advice", async () => {
  for (const [server, other, pid] of [
    [fixture.server, copy, 4712],
    [copy, fixture.server, 4711],
  ] as const) {
    const [problem] = problemsOf(await doctor(server, running(fixture.server, copy)), "other-server");
    expect(problem).toMatchObject({
      what: `the server ${other} with the world ${LEVEL} (process ${pid}) runs with the token of this sidecar, too, as a copy of a server's folder does: the two games throw each other out`,
      mend: expect.stringMatching(
        `^stop it, then: npm run setup -- --server "${other}" --config "${fixture.config}" --undo {2}\\(or give`,
      ),
    });
  }
  const [problem] = problemsOf(await doctor(fixture.server, running(fixture.server, copy)), "other-server");
  await follow(fixture, "", problem?.mend ?? "");
  for (const around of [running(fixture.server), running(fixture.server, copy)])
    expect((await doctor(fixture.server, around)).map(({ id }) => id)).not.toContain("other-server");
});

it("is no problem as long as only one of them runs", async () => {
  const [found] = (await doctor(copy, running(fixture.server))).filter(({ id }) => id === "other-server");
  expect(found?.state).toBe("note");
});

it("is told of by the sidecar where the other one cannot be seen", async () => {
  const token = readFileSync(fixture.tokenFile, "utf8").trim();
  const hello = async (run: string): Promise<number> => {
    const world = { id: "one-world", name: LEVEL };
    const body = { product: "0.1.0", wire: WIRE_VERSION, wireOldest: WIRE_OLDEST, run, firstFact: 1, world };
    const headers = { Authorization: token, "Content-Type": "application/json" };
    const url = `http://127.0.0.1:${fixture.running.bridgeAddress.port}${PATHS.hello}`;
    return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status;
  };
  const [one, other] = [randomUUID(), randomUUID()];
  expect([await hello(one), await hello(other)]).toEqual([200, 200]);
  expect(problemsOf(await doctor(fixture.server, {}), "two-servers")).toEqual([]);
  expect(await hello(one)).toBe(409);
  const [problem] = problemsOf(await doctor(fixture.server, {}), "two-servers");
  expect(problem).toMatchObject({
    what: "two game servers want this sidecar, and one of them was refused 0 min ago",
    mend: expect.stringContaining("which may be a copy of the other"),
  });
  const later = { now: () => Date.now() + 601_000 };
  expect(problemsOf(await doctor(fixture.server, later), "two-servers")).toEqual([]);
});

it("a world that was renamed is no other one, and setup gives the pack its name", async () => {
  const told = (name: string): Partial<Surroundings> => ({
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).endsWith(STATUS_PATH)) return response;
      const game = { world: { id: "w", name }, connectedAt: Date.now(), reportedAt: Date.now() };
      return Response.json({ ...((await response.json()) as object), game });
    },
  });
  renameSync(fixture.world, fixture.path("worlds/Renamed"));
  fixture.edit(fixture.path("server.properties"), text => setProperties(text, { "level-name": "Renamed" }));
  const findings = await fixture.doctor(told(LEVEL));
  expect(findings.find(({ id }) => id === "connected-world")).toMatchObject({
    state: "note",
    what: expect.stringMatching(
      /as that of this server was called before: npm run setup .*start the server again$/,
    ),
  });
  const problems = findings.flatMap(each => (each.state === "problem" ? [each] : []));
  expect(problems.map(({ id }) => id)).toEqual(["world-name"]);
  await follow(fixture, "", problems[0]?.mend ?? "");
  expect(await fixture.problems(told("Renamed"))).toEqual([]);
  // Seen from another server, it has the name that it has now.
  await fixture.setUp(`npm run setup -- --server "${copy}" --config "${fixture.config}"`);
  const [other] = (await doctor(copy, {})).filter(({ id }) => id === "other-server");
  expect(other?.what).toContain(`the server ${fixture.server} with the world Renamed `);
});
