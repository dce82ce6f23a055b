import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { DoctorSystem } from "../../owner/doctor/target.ts";
import { STATUS_PATH } from "../../shared/status.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { fixtureWithSetup, LEVEL } from "./fixture.ts";
import { type Situation, testSituations } from "./situations.ts";

// Own connections: passes on what the doctor asks.

const fixture = fixtureWithSetup();
const nothing = (): void => undefined;
const HOUR = 3_600_000;

/** The sidecar tells something else of itself than it is. */
const telling = (more: () => object) => (): Partial<DoctorSystem> => ({
  fetch: async (input, init) => {
    const response = await fetch(input, init);
    if (!String(input).endsWith(STATUS_PATH)) return response;
    return Response.json({ ...((await response.json()) as object), ...more() });
  },
});
/** The game that reports is one with a world of this name. */
const connected = (name: string, reportedAt?: number, more = {}) =>
  telling(() => ({
    game: { world: { id: "w", name }, connectedAt: Date.now() - 3 * HOUR, reportedAt, ...more },
  }));
const SETTINGS: Situation[] = [
  {
    what: "a key that was added since the start is named, and a restart fixes it",
    id: "running-settings",
    newer: text => `${text}messages:\n  api.link-accept: "Yes"\n`,
    says: /older settings than .*config\.yml has now: messages\.api\.link-accept \(started 0 min ago\)$/,
    fix: "stop the sidecar and start it again",
    first: nothing,
  },
  {
    what: "the chest form that setup was told of is named",
    id: "running-settings",
    prepare: ({ setUp, command }) => setUp.call(fixture, command.call(fixture, "--chest-form")),
    says: "has now: modules.api.link-form (started",
    first: nothing,
  },
  {
    what: "admin keys are read again while the sidecar runs",
    id: "running-settings",
    newer: text => text.replace(ADMIN_KEY, "another-admin-key-0123456789"),
    says: "ok: the sidecar runs with what is in",
  },
  {
    what: "comments and spelling do not count",
    id: "running-settings",
    newer: text => `${text.replace("200ms", "200ms # soon")}log.level: info\n`,
    says: "ok: the sidecar runs with what is in",
  },
  {
    what: "another file that the sidecar has read is named",
    id: "running-settings",
    system: telling(() => ({
      settings: { config: "/data/config.yml", file: { "modules.web.title": "1" }, environment: {} },
    })),
    says: / and \d more \(started with \/data\/config\.yml 0 min ago\)$/,
    fix: "name that one with --config instead",
  },
  {
    what: "another version than the installed one is named",
    id: "running-settings",
    system: telling(() => ({ version: "0.0.9", startedAt: Date.now() - 49 * HOUR })),
    says: /the sidecar runs with version 0\.0\.9 \(started 2 days ago\), and .* is installed here$/,
  },
  {
    what: "a sidecar that tells no settings is not judged",
    id: "running-settings",
    system: telling(() => ({ settings: undefined })),
    says: "skipped: what the sidecar runs with: it does not tell",
  },
];

const WORLDS: Situation[] = [
  {
    what: "a world that reports no more is noted",
    id: "connected-world",
    system: connected("Old"),
    says: "note: the world Old was connected last, and reports no more",
  },
  {
    what: "another world than that of this server is named",
    id: "connected-world",
    system: connected("Other", Date.now() + HOUR),
    says: `the world Other (for 3 h), and the world of this server is ${LEVEL}`,
    fix: /a name of its own, see docs\/several-servers\.md npm run setup .* --as bedrock-level$/,
  },
  {
    what: "two game servers that want the sidecar are named",
    id: "connected-world",
    system: connected(LEVEL, Date.now() + HOUR, { refusedAt: Date.now() + HOUR }),
    says: "two game servers want this sidecar, and one of them was refused 0 min ago",
    fix: "which may be a copy of the other",
  },
  {
    what: "a game server that was refused long ago counts no more",
    id: "connected-world",
    system: connected(LEVEL, Date.now() + HOUR, { refusedAt: Date.now() - 601_000 }),
    lacks: "two game servers",
  },
];

describe("a sidecar that runs", () => {
  testSituations(fixture, [...SETTINGS, ...WORLDS]);
});

describe("a running server", () => {
  it("is to be stopped before setup", async () => {
    rmSync(join(fixture.world, "world_behavior_packs.json"));
    const [problem] = await fixture.wrong({ processes: fixture.runs() });
    expect(problem?.fix).toEqual({ text: "stop the server first", command: fixture.command() });
    await fixture.setUp();
  });

  it("is named when its pack is not connected, and has nothing wrong or unknown once it is", async () => {
    expect(await fixture.problems({ processes: fixture.runs() })).toEqual(["pack-connected"]);
    await fixture.startGame();
    await fixture.until(() => fixture.ready());
    const findings = await fixture.doctor({ processes: fixture.runs() });
    expect(findings.filter(({ state }) => state === "problem" || state === "skipped")).toEqual([]);
    expect(findings).toContainEqual(expect.objectContaining({ id: "pack-connected", state: "ok" }));
    expect(findings).toContainEqual({
      ...{ id: "connected-world", state: "ok" },
      what: `the sidecar is connected with the world ${LEVEL} (for 0 min)`,
    });
    await fixture.stopGame();
  });
});
