import { expect, it } from "@jest/globals";
import { createSnapshots } from "../../sidecar/app/snapshots.ts";
import { createEmbeddedBus } from "../../sidecar/bridge/embedded-bus.ts";
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
