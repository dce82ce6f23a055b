import { beforeEach, describe, expect, it } from "@jest/globals";
import { createSnapshots } from "../../sidecar/app/snapshots.ts";
import { createEmbeddedBus } from "../../sidecar/bridge/embedded-bus.ts";
import type { Bus, ProcessFigures } from "../../sidecar/ports/game.ts";
import { ManualClock } from "../helpers/clock.ts";
import { RecordingLog } from "../helpers/log.ts";
import { FIGURES } from "./house.ts";

describe("the process of the game", () => {
  const GONE: ProcessFigures = { memoryUsedMB: 0, memoryMaxMB: 0, cpuUsage: -1 };
  let clock: ManualClock;
  let bus: Bus;
  beforeEach(async () => {
    [clock, bus] = [new ManualClock(), createEmbeddedBus()];
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

  it("is shown for as long as another sidecar sees it", async () => {
    const [sees, others] = [{ figures: FIGURES }, { figures: { ...FIGURES, memoryUsedMB: 600 } }];
    const [own, other] = [await sidecar(sees), await sidecar(others)];
    await refresh();
    sees.figures = GONE;
    await refresh();
    expect([own(), other()]).toMatchObject([others.figures, others.figures]);
  });

  it("is shown for 15 s after the only sidecar that saw it has told nothing more", async () => {
    const status = await sidecar({ figures: GONE });
    await bus.publish({ kind: "figures", figures: FIGURES, from: "killed" });
    for (let second = 1; second < 15; second++) await refresh();
    expect(status()).toMatchObject(FIGURES);
    await bus.publish({ kind: "snapshot", snapshot: { at: clock.now(), tps: 20, rows: [] } });
    await refresh();
    expect(status()).toMatchObject(GONE);
  });
});
