import { expect, it } from "@jest/globals";
import { createSnapshots } from "../../sidecar/app/snapshots.ts";
import { createEmbeddedBus } from "../../sidecar/bridge/embedded-bus.ts";
import type { ProcessFigures } from "../../sidecar/ports.ts";
import { ManualClock } from "../helpers/clock.ts";
import { RecordingLog } from "../helpers/log.ts";
import { FIGURES } from "../helpers/sidecar.ts";

it("lets a snapshot grow old in its time, also when the clock is set back meanwhile", async () => {
  const clock = new ManualClock();
  const bus = createEmbeddedBus();
  const snapshots = await createSnapshots({
    clock,
    bus,
    log: new RecordingLog(),
    probe: { read: async () => FIGURES },
    refreshMs: 5_000,
    bridgeId: "bridge",
  });
  await bus.publish({ kind: "snapshot", snapshot: { at: clock.now(), tps: 20, rows: [] } });
  clock.setBack(3_600_000);
  for (let i = 0; i < 2; i++) {
    clock.advance(5_000);
    await Promise.resolve();
    expect(snapshots.fresh()).toBeDefined();
  }
  clock.advance(5_000);
  await Promise.resolve();
  expect(snapshots.fresh()).toBeUndefined();
});

it("does not keep the start waiting for the process of the game, which is shown as soon as it is found", async () => {
  const [clock, bus] = [new ManualClock(), createEmbeddedBus()];
  let found: (figures: ProcessFigures) => void = () => undefined;
  const read = (): Promise<ProcessFigures> =>
    new Promise(resolve => {
      found = resolve;
    });
  const start = () =>
    createSnapshots({
      clock,
      bus,
      log: new RecordingLog(),
      probe: { read },
      refreshMs: 5_000,
      bridgeId: "bridge",
    });
  const snapshots = await start();
  await bus.publish({ kind: "snapshot", snapshot: { at: clock.now(), tps: 20, rows: [] } });
  expect(snapshots.fresh()?.status).toMatchObject({ memoryUsedMB: 0, memoryMaxMB: 0, cpuUsage: -1 });
  found(FIGURES);
  await Promise.resolve();
  expect(snapshots.fresh()?.status).toMatchObject(FIGURES);

  // One that starts beside others has something to show at once.
  const second = start();
  await Promise.resolve();
  await Promise.resolve();
  found(FIGURES);
  expect((await second).fresh()?.status).toMatchObject(FIGURES);
});
