import { expect, it } from "@jest/globals";
import { createStorage } from "../../sidecar/app/storage.ts";
import { StorageAway, StorageFull } from "../../sidecar/ports.ts";
import { createMemoryStore } from "../../sidecar/store/memory.ts";
import { ManualClock } from "../helpers/clock.ts";
import { RecordingLog } from "../helpers/log.ts";
import { startTestSidecar } from "../helpers/sidecar.ts";

function storage() {
  const clock = new ManualClock();
  const reach = { isAway: () => false, onChange: () => undefined };
  const made = createStorage({ clock, log: new RecordingLog(), store: createMemoryStore(), reach });
  return { clock, ...made };
}

it("does not keep what cannot be stored now since the storage is away: whoever is told it again deals with it", async () => {
  const { clock, keep, keeps, stop } = storage();
  let tries = 0;
  const step = async (): Promise<void> => {
    tries++;
    throw new StorageAway("nobody answers there");
  };
  await expect(keep("a", step)).rejects.toThrow(StorageAway);
  expect(keeps("a")).toBe(false);
  await clock.advance(10_000);
  expect(tries).toBe(1);
  stop();
});

it("keeps what has no room until there is some", async () => {
  const { clock, keep, keeps, stop } = storage();
  let isFull = true;
  const step = async (): Promise<void> => {
    if (isFull) throw new StorageFull("no room");
  };
  await keep("a", step);
  expect(keeps("a")).toBe(true);
  isFull = false;
  await clock.advance(1_000);
  await new Promise(setImmediate);
  expect(keeps("a")).toBe(false);
  stop();
});

it("does not tell of each look for links that are due while the storage is away", async () => {
  const due = async (): Promise<never> => Promise.reject(new StorageAway("nobody answers there"));
  const side = await startTestSidecar({ store: { ...createMemoryStore(), due } });
  await side.clock.advance(side.config.modules.api.verificationTimeout);
  await new Promise(setImmediate);
  expect(side.log.of("error")).toEqual([]);
  await side.stop();
});
