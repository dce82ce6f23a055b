import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Finding } from "../../owner/doctor/finding.ts";
import type { Surroundings } from "../../owner/doctor/target.ts";
import { makeServer } from "../../scripts/make-server.mjs";
import { STATUS_PATH } from "../../shared/status.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";
import { MODULE } from "./breaks.ts";
import { Fixture, LEVEL } from "./fixture.ts";
import { follow, keep } from "./mends.ts";

// Own connections: passes on what the doctor asks.

const fixture = new Fixture();
const setup = (more = ""): string =>
  `npm run setup -- --server "${fixture.server}" --config "${fixture.config}"${more}`;
beforeAll(async () => {
  await fixture.make();
  await fixture.setUp(setup());
});
afterAll(() => fixture.remove());

const of = (findings: readonly Finding[], id: string): Finding | undefined =>
  findings.find(each => each.id === id);
/** The doctor, where the sidecar tells something else of itself than it is. */
const telling = (more: object): Partial<Surroundings> => ({
  fetch: async (input, init) => {
    const response = await fetch(input, init);
    if (!String(input).endsWith(STATUS_PATH)) return response;
    return Response.json({ ...((await response.json()) as object), ...more });
  },
});

/** Expects that the sidecar is to be restarted for these keys, and that nothing is wrong after that. */
async function restarted(...keys: string[]): Promise<void> {
  const found = await fixture.wrong();
  expect(found).toEqual([
    expect.objectContaining({
      id: "running-settings",
      mend: expect.stringMatching(/^stop the sidecar and start it again: /),
    }),
  ]);
  const [problem] = found;
  if (problem?.state !== "problem") throw new Error("no problem");
  expect(problem.what).toContain(
    `older settings than ${fixture.config} has now: ${keys.join(", ")} (started 0 min ago)`,
  );
  expect(JSON.stringify(found)).not.toContain(ADMIN_KEY);
  await follow(fixture, problem.what, problem.mend);
  expect(await fixture.problems()).toEqual([]);
}

describe("a sidecar that runs with older settings", () => {
  it("is to be restarted after a key was added to config.yml", async () => {
    const back = keep(fixture.config);
    writeFileSync(
      fixture.config,
      `${readFileSync(fixture.config, "utf8")}messages:\n  api.link-accept: "Yes"\n`,
    );
    await restarted("messages.api.link-accept");
    back();
    await restarted("messages.api.link-accept");
  });

  it("is left alone where only the admin key was changed, which is read again", async () => {
    const back = keep(fixture.config);
    fixture.edit(fixture.config, text => text.replace(ADMIN_KEY, "another-admin-key-0123456789"));
    expect(await fixture.problems()).toEqual([]);
    back();
  });

  it("is to be restarted after set-up has asked for the chest form", async () => {
    const back = keep(fixture.config);
    await fixture.setUp(setup(" --chest-form"));
    await restarted("modules.api.link-form");
    back();
    await fixture.restartSidecar();
  });

  it("is left alone where only comments and spelling have changed", async () => {
    const back = keep(fixture.config);
    fixture.edit(fixture.config, text => text.replace("200ms", "200ms # soon"));
    writeFileSync(fixture.config, `${readFileSync(fixture.config, "utf8")}log.level: info\n`);
    expect(await fixture.problems()).toEqual([]);
    expect(await fixture.stateOf("running-settings")).toBe("ok");
    back();
  });

  it("is not blamed for settings that it has from an environment that the doctor does not see", async () => {
    await fixture.stopSidecar();
    await fixture.startSidecar({ WEB_BRIDGE_MODULES_WEB_TITLE: "Mine", WEB_BRIDGE_LOG_LEVEL: "warn" });
    const found = await fixture.doctor();
    expect(found.filter(({ state }) => state === "problem")).toEqual([]);
    expect(of(found, "running-settings")?.state).toBe("ok");
    expect(of(found, "running-environment")).toMatchObject({
      state: "note",
      what: expect.stringContaining("WEB_BRIDGE_LOG_LEVEL, WEB_BRIDGE_MODULES_WEB_TITLE"),
    });
    const env = { WEB_BRIDGE_MODULES_WEB_TITLE: "Mine", WEB_BRIDGE_LOG_LEVEL: "warn" };
    expect(await fixture.find("running-environment", { env })).toBeUndefined();
    await fixture.restartSidecar();
  });

  it("is named with the file that it has read, where that is another one", async () => {
    const file = { "log.level": "1", "modules.web.title": "1" };
    const settings = { config: "/data/config.yml", file, environment: {} };
    expect(await fixture.find("running-settings", telling({ settings }))).toMatchObject({
      state: "problem",
      what: expect.stringMatching(
        /modules\.api\.port and 4 more \(started with \/data\/config\.yml 0 min ago\)$/,
      ),
      mend: expect.stringMatching(/^stop the sidecar and start it again: .*--config$/),
    });
  });

  it("is named when it is of another version than what is installed", async () => {
    const startedAt = Date.now() - 49 * 3_600_000;
    expect(await fixture.find("running-version", telling({ version: "0.0.9", startedAt }))).toMatchObject({
      what: expect.stringMatching(/version 0\.0\.9 \(started 2 days ago\)/),
    });
  });

  it("is not judged where it does not tell", async () => {
    for (const more of [{ settings: undefined }, { version: 7 }])
      expect(await fixture.stateOf("running-settings", telling(more))).toBe("skipped");
  });
});

describe("a running server", () => {
  it("is to be stopped before set-up", async () => {
    const path = join(fixture.world, "world_behavior_packs.json");
    const back = keep(path);
    rmSync(path);
    const found = await fixture.doctor({ signs: fixture.runs() });
    expect(found.find(({ state }) => state === "problem")).toMatchObject({
      mend: expect.stringMatching(/^stop the server, then: npm run setup -- /),
    });
    back();
  });

  it("is named when its pack is not connected, and no more once it is", async () => {
    expect(await fixture.problems({ signs: fixture.runs() })).toEqual(["pack-connected"]);
    await fixture.startGame();
    await fixture.until(() => fixture.ready());
    expect(await fixture.stateOf("pack-connected", { signs: fixture.runs() })).toBe("ok");
    await fixture.stopGame();
  });
});

describe("the world", () => {
  const variables = (): string => fixture.path("config", MODULE, "variables.json");

  it("is named as connected, and as one that reports no more", async () => {
    await fixture.startGame();
    await fixture.until(() => fixture.ready());
    expect(await fixture.told("connected-world")).toBe(
      `ok: the sidecar is connected with the world ${LEVEL} (for 0 min)`,
    );
    expect(fixture.log.text).toContain(`"world":"${LEVEL}"`);
    const game = { world: { id: "w", name: "Old" }, connectedAt: Date.now() - 3 * 3_600_000 };
    expect(await fixture.told("connected-world", telling({ game }))).toBe(
      "note: the world Old was connected last, and reports no more",
    );
  });

  it("is named when another one than that of this server is connected", async () => {
    const game = { world: { id: "w", name: "Other" }, connectedAt: Date.now(), reportedAt: Date.now() };
    expect(await fixture.find("connected-world", telling({ game }))).toMatchObject({
      state: "problem",
      what: expect.stringContaining(
        `with the world Other (for 0 min), and the world of this server is ${LEVEL}`,
      ),
      mend: expect.stringContaining(
        "--as bedrock-level, so that each has a name of its own, see docs/several-servers.md",
      ),
    });
    await fixture.stopGame();
  });

  it("is that of another server, too, where both were set up with one sidecar", async () => {
    const second = join(fixture.folder, "second server");
    await makeServer(second, { levelName: LEVEL });
    await fixture.setUp(`npm run setup -- --server "${second}" --config "${fixture.config}"`);
    expect(await fixture.find("other-server")).toMatchObject({
      state: "note",
      what: expect.stringContaining(
        `the server ${second} with the world ${LEVEL} has the token of this sidecar`,
      ),
    });
    rmSync(second, { recursive: true });
    expect(await fixture.find("other-server")).toBeUndefined();
  });

  it("has the name that server.properties gives it", async () => {
    fixture.editJson<object>(variables(), held => ({ ...held, "world-name": "Old name" }));
    const [problem] = await fixture.wrong();
    expect(problem).toMatchObject({ id: "world-name", what: expect.stringContaining('"Old name"') });
    await fixture.setUp(setup());
    expect(await fixture.problems()).toEqual([]);
    fixture.editJson<Record<string, unknown>>(variables(), ({ "world-name": _name, ...held }) => held);
    expect(await fixture.stateOf("world-name")).toBe("note");
    await fixture.setUp(setup());
  });
});
