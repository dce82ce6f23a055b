import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { STATUS_PATH } from "../../shared/status.ts";
import { ADMIN_KEY } from "../../test/helpers/sidecar.ts";
import type { DoctorSystem } from "./target.ts";
import { fixtureWithSetup, LEVEL } from "./testing/fixture.ts";
import { type Situation, situation, testSituations } from "./testing/situations.ts";

// Own connections: passes on what the doctor asks.

const fixture = fixtureWithSetup();
const nothing = (): void => undefined;
const HOUR = 3_600_000;

/** The sidecar reports other values than its own. */
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
  situation("running-settings", "a key that was added since the start is named, and a restart fixes it", {
    newer: text => `${text}messages:\n  api.link-accept: "Yes"\n`,
    says: /older settings than .*config\.yml: messages\.api\.link-accept \(started 0 min ago\)$/,
    fix: "stop the sidecar and start it again",
    first: nothing,
  }),
  situation("running-settings", "the chest form that setup has chosen is named", {
    prepare: ({ setUp, command }) => setUp.call(fixture, command.call(fixture, "--chest-form")),
    says: "config.yml: modules.api.link-form (started",
    first: nothing,
  }),
  situation("running-settings", "admin keys are read again while the sidecar runs", {
    newer: text => text.replace(ADMIN_KEY, "another-admin-key-0123456789"),
    says: "ok: the running sidecar has the settings of",
  }),
  situation("running-settings", "comments and spelling do not count", {
    newer: text => `${text.replace("200ms", "200ms # soon")}log.level: info\n`,
    says: "ok: the running sidecar has the settings of",
  }),
  situation("running-settings", "another file that the sidecar has read is named", {
    system: telling(() => ({
      settings: { config: "/data/config.yml", file: { "modules.web.title": "1" }, environment: {} },
    })),
    says: / and \d more \(started with \/data\/config\.yml 0 min ago\)$/,
    fix: "pass it as --config instead",
  }),
  situation("running-settings", "another version than the installed one is named", {
    system: telling(() => ({ version: "0.0.9", startedAt: Date.now() - 49 * HOUR })),
    says: /the sidecar runs with version 0\.0\.9 \(started 2 days ago\), and .* is installed here$/,
  }),
  situation("running-settings", "a sidecar that reports no settings is not checked", {
    system: telling(() => ({ settings: undefined })),
    says: "skipped: the settings of the running sidecar: it does not report them",
  }),
];

const WORLDS: Situation[] = [
  situation("connected-world", "a world that reports no more is noted", {
    system: connected("Old"),
    says: "note: the world Old was connected last, but no longer reports",
  }),
  situation("connected-world", "another world than that of this server is named", {
    system: connected("Other", Date.now() + HOUR),
    says: `the world Other (for 3 h), and the world of this server is ${LEVEL}`,
    fix: /its own name, see docs\/several-servers\.md npm run setup .* --as bedrock-level$/,
  }),
  situation("connected-world", "two game servers that want the sidecar are named", {
    system: connected(LEVEL, Date.now() + HOUR, { refusedAt: Date.now() + HOUR }),
    says: "two game servers connect to this sidecar with one token: one of them was rejected 0 min ago",
    fix: "it may be a copy of the other",
  }),
  situation("connected-world", "a game server that was refused long ago counts no more", {
    system: connected(LEVEL, Date.now() + HOUR, { refusedAt: Date.now() - 601_000 }),
    lacks: "two game servers",
  }),
];

describe("a running sidecar", () => {
  testSituations(fixture, [...SETTINGS, ...WORLDS]);
});

describe("a running server", () => {
  it("must be stopped before setup", async () => {
    rmSync(join(fixture.world, "world_behavior_packs.json"));
    const [problem] = await fixture.wrong({ processes: fixture.runs() });
    expect(problem?.fix).toEqual({ text: "stop the server first", command: fixture.command() });
    await fixture.setUp();
  });

  it("is reported when its pack is not connected, and passes all checks once it is", async () => {
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
