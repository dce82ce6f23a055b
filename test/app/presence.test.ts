import { expect, it } from "@jest/globals";
import { createPresence } from "../../sidecar/app/presence.ts";
import { createEmbeddedBus } from "../../sidecar/bridge/embedded-bus.ts";
import { ManualClock } from "../helpers/clock.ts";
import { memoryFeedLog } from "../helpers/feed-log.ts";

const SILENT_MS = 15_000;
const TURN = { token: "" };

it("the feed counts silence of the game from the moment on in which it can be heard again", async () => {
  const clock = new ManualClock();
  const log = memoryFeedLog(clock);
  const bus = createEmbeddedBus();
  const listeners: ((isAway: boolean) => void)[] = [];
  let isAway = false;
  const turn = async (away: boolean): Promise<void> => {
    isAway = away;
    for (const listener of listeners) listener(isAway);
    await new Promise(setImmediate);
  };
  const presence = await createPresence({
    ...{ clock, log, bus, bridgeId: "b", silentMs: SILENT_MS },
    reach: { isAway: () => isAway, onChange: listener => void listeners.push(listener) },
  });
  const states = async (): Promise<unknown[]> => {
    await new Promise(setImmediate);
    return (await log.newest(10)).entries.map(({ event }) => "state" in event && event.state);
  };
  const hear = async (): Promise<void> => {
    await presence.listed("run", [], TURN);
    await bus.publish({ kind: "snapshot", snapshot: { at: clock.now(), tps: 20, rows: [] } });
  };

  await presence.began("run", TURN);
  await hear();
  expect(await states()).toEqual(["online"]);
  clock.advance(SILENT_MS - 1);
  await turn(true);
  clock.advance(SILENT_MS);
  expect(await states()).toEqual(["online"]);
  await turn(false);
  clock.advance(SILENT_MS - 1);
  expect(await states()).toEqual(["online"]);
  await hear();
  clock.advance(SILENT_MS - 1);
  expect(await states()).toEqual(["online"]);
  clock.advance(1);
  expect(await states()).toEqual(["online", "away"]);
});
