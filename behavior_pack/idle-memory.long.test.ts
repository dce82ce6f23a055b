import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { type Stage, stage } from "./testing/compiled.ts";
import { ok } from "./testing/fake-sidecar.ts";

const MINUTE_TICKS = 1_200;
const HELD_TICKS = 400;

/**
 * Runs ticks, each of which finds the answers to what was sent before, as there is time for in the game. A poll is held for 20 s.
 */
async function ticks({ sim, sidecar }: Stage, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    sim.tickNow();
    if (sim.world.tick % HELD_TICKS === 0)
      sidecar.polls.shift()?.resolve(ok({ actions: [], received: sidecar.received }));
    do await nextTurn();
    while (sim.http.unanswered > 1);
  }
}

/** A connected pack with so many players, ticks of 50 ms, and as many of them behind it as its longest memory goes back. */
async function playing(players: number): Promise<Stage> {
  let tick = (): number => 0;
  const made = await stage({ now: () => 1_700_000_000_000 + 50 * tick() });
  tick = () => made.sim.world.tick;
  for (let i = 0; i < players; i++) made.sim.world.join(`Player ${i}`);
  await made.sim.until(() => made.sidecar.hellos.length > 0);
  await ticks(made, 2 * MINUTE_TICKS);
  return made;
}

/** Goes on until half way between two snapshots, with nothing open but a poll. */
async function quiet({ sim, sidecar }: Stage): Promise<void> {
  const told = sidecar.of("snapshot").length;
  await sim.until(() => sidecar.of("snapshot").length > told);
  await sim.tick(30);
  expect(sim.http.inFlight).toBe(1);
}

describe("the memory of the script", () => {
  it("is the same after minutes in which nothing happens, with nothing to be collected", async () => {
    const game = await playing(20);
    const { sim, sidecar } = game;
    await quiet(game);
    const before = sim.memory();
    const snapshots = sidecar.of("snapshot").length;
    await ticks(game, 2 * MINUTE_TICKS);
    await quiet(game);
    expect(sidecar.of("snapshot").length).toBeGreaterThan(snapshots + 20);
    const after = sim.memory(false);
    expect([after.objects, after.blocks]).toEqual([before.objects, before.blocks]);
    expect(sim.memory().objects).toBe(before.objects);
  });
});
