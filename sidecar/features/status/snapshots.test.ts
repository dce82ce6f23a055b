import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Fact } from "../../../shared/facts.ts";
import { memoryBus } from "../../../test/helpers/bus.ts";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import { createTestApp, FIGURES, row, type TestApp } from "../../../test/helpers/test-app.ts";
import type { Bus, ProcessFigures } from "../../kernel/bridge/ports.ts";
import { createSnapshots } from "./snapshots.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
  await app.pack.connect();
});

const fresh = () => app.server.snapshots.fresh();
const listed = (): string[] | undefined => fresh()?.players.map(({ name }) => name);
const part = (index: number, parts: number, ...names: string[]): Fact => ({
  is: "snapshot",
  tps: 19.876,
  part: index,
  parts,
  rows: names.map(name => row(name)),
});

describe("the public snapshot of the game", () => {
  it("has the last report, rounded to hundredths, with the process's CPU and memory", async () => {
    expect(fresh()).toBeUndefined();
    await app.pack.report(part(0, 1, "Steve", "Alex"));
    expect(fresh()?.status).toEqual({ status: "Online", tps: 19.88, onlinePlayerCount: 2, ...FIGURES });
    expect(fresh()?.players).toEqual([
      { name: "Steve", uuid: expect.any(String), health: 20, deaths: 1, playerKills: 2, playtimeSeconds: 3 },
      expect.objectContaining({ name: "Alex" }),
    ]);
    await app.pack.snapshot();
    expect([fresh()?.players, fresh()?.status.onlinePlayerCount]).toEqual([[], 0]);
  });

  it.each([
    ["5s", 15_000],
    ["100ms", 15_000],
    ["10s", 30_000],
  ])(
    "is shown with a refresh of %s for %i ms, and the log says when it ends and when it is back",
    async (every, ms) => {
      app = await createTestApp({
        players: ["Steve"],
        yaml: `modules.api.metrics-refresh-interval: ${every}`,
      });
      app.clock.advance(ms - 1);
      app.clock.setBack(3_600_000);
      // Of the joining of a player the same report comes again.
      await app.pack.report({ is: "joined", row: row("Alex") });
      expect(listed()).toEqual(["Steve", "Alex"]);
      app.clock.advance(1);
      expect(fresh()).toBeUndefined();
      app.clock.advance(10_000);
      const warnings = app.log.lines.map(({ message }) => message).filter(text => /report/.test(text));
      expect(warnings).toEqual(["The game server is reporting", "The game server has stopped reporting"]);
      await app.pack.snapshot("Steve");
      expect(listed()).toEqual(["Steve"]);
      expect(app.log.lines.at(-1)?.message).toBe("The game server is reporting");
    },
  );

  it("shows joins and leaves immediately", async () => {
    await app.pack.snapshot("Steve");
    await app.pack.report({ is: "joined", row: row("Alex") });
    expect(listed()).toEqual(["Steve", "Alex"]);
    await app.pack.report({ is: "joined", row: row("Steve", { health: 3 }) });
    expect(fresh()?.players).toMatchObject([{ name: "Alex" }, { name: "Steve", health: 3 }]);
    await app.pack.report({ is: "left", id: "-Steve" });
    expect([listed(), fresh()?.status.onlinePlayerCount]).toEqual([["Alex"], 1]);
  });

  it("[FACT-13] does not list hidden players, but counts them", async () => {
    const hidden = { hidden: true } as const;
    const rows = [row("Steve", hidden), row("Alex")];
    await app.pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows });
    await app.pack.report({ is: "joined", row: row("Eve", hidden) });
    expect([listed(), fresh()?.status.onlinePlayerCount]).toEqual([["Alex"], 3]);
    expect(fresh()?.allPlayers.map(({ name }) => name)).toEqual(["Steve", "Alex", "Eve"]);
    expect(JSON.stringify(fresh())).not.toContain("hidden");
    await app.pack.snapshot("Steve", "Alex");
    expect(listed()).toEqual(["Steve", "Alex"]);
  });
});

describe("a report in parts", () => {
  it("[FACT-9] starts over after a part that is out of order, of another count or of another session", async () => {
    for (const parts of [
      [part(0, 3, "a"), part(2, 3, "c"), part(1, 3, "b"), part(2, 3, "c")],
      [part(0, 3, "a"), part(1, 2, "b")],
      [part(1, 2, "b")],
    ]) {
      await app.pack.report(...parts);
      expect(fresh()).toBeUndefined();
    }
    await app.pack.report(part(0, 3, "a"), part(1, 3, "b"));
    await app.pack.connect("next run");
    await app.pack.report(part(2, 3, "c"));
    expect(fresh()).toBeUndefined();
    await app.pack.report(part(0, 2, "x"), part(0, 2, "d"), part(1, 2, "e"));
    expect(listed()).toEqual(["d", "e"]);
  });
});

describe("the uuid of a player", () => {
  it("is the same on every server and for every name if the game identifies the player, else per world", async () => {
    const rows = [
      { ...row("Steve") },
      { ...row("Alex"), player: { id: "-9", persistentId: "", name: "Alex" } },
    ];
    const uuids: unknown[] = [];
    for (const name of ["Steve", "Stephen"]) {
      const one = await createTestApp();
      await one.pack.connect();
      const [first, second] = rows;
      const renamed = first && { ...first, player: { ...first.player, id: name, name } };
      const own = [renamed, second].filter(one => one !== undefined);
      await one.pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows: own });
      uuids.push(one.server.snapshots.fresh()?.players.map(({ uuid }) => uuid));
    }
    const [[known, unknown], [other, elsewhere]] = uuids as [string[], string[]];
    expect(known).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(other).toBe(known);
    expect(elsewhere).not.toBe(unknown);
  });
});

describe("the process of the game", () => {
  const GONE: ProcessFigures = { memoryUsedMB: 0, memoryMaxMB: 0, cpuUsage: -1 };
  let clock: ManualClock;
  let bus: Bus;
  beforeEach(async () => {
    [clock, bus] = [new ManualClock(), memoryBus()];
    await bus.publish({ kind: "snapshot", snapshot: { at: clock.now(), tps: 20, rows: [] } });
  });

  /** A sidecar, and what it sees of the process. */
  async function sidecar(sees: { figures: ProcessFigures }) {
    const { fresh } = await createSnapshots({
      clock,
      bus,
      log: new RecordingLog(),
      probe: { read: async () => sees.figures },
      refreshMs: 1_000,
      bridgeId: "bridge",
    });
    return () => fresh()?.status;
  }
  async function refresh(): Promise<void> {
    clock.advance(1_000);
    await new Promise(setImmediate);
  }

  it("is shown while another sidecar sees it", async () => {
    const [sees, others] = [{ figures: FIGURES }, { figures: { ...FIGURES, memoryUsedMB: 600 } }];
    const [own, other] = [await sidecar(sees), await sidecar(others)];
    await refresh();
    sees.figures = GONE;
    await refresh();
    expect([own(), other()]).toMatchObject([others.figures, others.figures]);
  });

  it("is shown for 15 s after the last report of the only sidecar that saw it", async () => {
    const status = await sidecar({ figures: GONE });
    await bus.publish({ kind: "figures", figures: FIGURES, from: "killed" });
    for (let second = 1; second < 15; second++) await refresh();
    expect(status()).toMatchObject(FIGURES);
    await bus.publish({ kind: "snapshot", snapshot: { at: clock.now(), tps: 20, rows: [] } });
    await refresh();
    expect(status()).toMatchObject(GONE);
  });
});
