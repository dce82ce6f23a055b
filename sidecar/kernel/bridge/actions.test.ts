import { expect, it } from "@jest/globals";
import { memoryBus } from "../../../test/helpers/bus.ts";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { ALWAYS_REACHABLE } from "../embedded.ts";
import { createGame } from "./actions.ts";
import { createMemoryOutbox } from "./memory-outbox.ts";

const GRACE_MS = 2_000;

const start = () => {
  const clock = new ManualClock();
  const bus = memoryBus();
  const outbox = createMemoryOutbox(clock);
  const game = createGame({ clock, outbox, bus, reach: ALWAYS_REACHABLE });
  const end = (id: string): Promise<void> =>
    bus.publish({ kind: "outcome", outcome: { id, status: "done" } });
  return { clock, game, outbox, end };
};

it("accepts actions triggered by an outcome while it stops, but no later ones", async () => {
  const { game, end } = start();
  const second = game.act({ do: "allowlist-read" }, "1").then(() => game.act({ do: "allowlist-read" }, "2"));
  const stopped = game.stop(GRACE_MS);
  await end("1");
  await new Promise(setImmediate);
  await end("2");
  expect(await second).toEqual({ id: "2", status: "done" });
  await stopped;
  expect(await game.act({ do: "allowlist-read" }, "3")).toEqual({ id: "3", status: "away", begun: false });
});

it("withdraws undelivered actions after its grace period, so that no other process delivers them", async () => {
  const { clock, game, outbox } = start();
  const opened = await outbox.open({ run: "run", firstFact: 1 });
  const session = "value" in opened ? opened.value.session : "";
  const had = game.act({ do: "allowlist-read" }, "1");
  expect(await outbox.take(session, 0, 0)).toMatchObject({ value: [{ id: "1" }] });
  const waits = game.act({ do: "allowlist-read" }, "2");
  const stopped = game.stop(GRACE_MS);
  clock.advance(GRACE_MS);
  await stopped;
  expect(await had).toEqual({ id: "1", status: "timeout", begun: true });
  expect(await waits).toEqual({ id: "2", status: "timeout", begun: false });
  expect(await outbox.take(session, 1, 0)).toEqual({ value: [] });
});

it.each([
  [10_000, 9_500],
  [2_000, 1_500],
  [600, 300],
])("allows an action with a timeout of %i ms to begin within %i ms", async (withinMs, lifeMs) => {
  const { clock, game, outbox } = start();
  const opened = await outbox.open({ run: "run", firstFact: 1 });
  const session = "value" in opened ? opened.value.session : "";
  const waits = game.act({ do: "allowlist-read" }, "1", undefined, withinMs);
  expect(await outbox.take(session, 0, 0)).toMatchObject({ value: [{ expiresInMs: lifeMs }] });
  clock.advance(withinMs);
  expect(await waits).toEqual({ id: "1", status: "timeout", begun: true });
});

it("ends waits for outcomes half a second after the storage became unreachable, unless it is back", async () => {
  const [clock, bus] = [new ManualClock(), memoryBus()];
  const listeners: ((isAway: boolean) => void)[] = [];
  let isAway = false;
  const turn = (away: boolean): void => {
    isAway = away;
    for (const listener of listeners) listener(away);
  };
  const reach = {
    isAway: () => isAway,
    onChange: (listener: (isAway: boolean) => void) => void listeners.push(listener),
  };
  const game = createGame({ clock, outbox: createMemoryOutbox(clock), bus, reach });
  const ended: unknown[] = [];
  void game.act({ do: "allowlist-read" }, "1").then(how => ended.push(how));
  const later = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  turn(true);
  await later(499);
  turn(false);
  await later(100);
  expect(ended).toEqual([]);
  turn(true);
  await later(499);
  expect(ended).toEqual([]);
  await later(1);
  expect(ended).toEqual([{ id: "1", status: "away", begun: true }]);
});

it("allows 5,000 pending outcomes, and no more", async () => {
  const clock = new ManualClock();
  const outbox = { ...createMemoryOutbox(clock), append: async () => true };
  const game = createGame({ clock, outbox, bus: memoryBus(), reach: ALWAYS_REACHABLE });
  for (let i = 0; i < 5_000; i++) void game.act({ do: "allowlist-read" }, `${i}`);
  expect(await game.act({ do: "allowlist-read" }, "last")).toEqual({ id: "last", status: "full" });
});
