import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { type CompiledPack, startCompiledPack } from "./testing/compiled.ts";
import { ok } from "./testing/fake-sidecar.ts";

const MINUTE_TICKS = 1_200;
const HELD_TICKS = 400;

/**
 * Runs ticks, each after the answers to earlier requests have arrived, as in the game. A poll is held for 20 s.
 */
async function ticks({ sim, sidecar }: CompiledPack, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    sim.tickNow();
    if (sim.world.tick % HELD_TICKS === 0)
      sidecar.polls.shift()?.resolve(ok({ actions: [], received: sidecar.received }));
    do await nextTurn();
    while (sim.http.unanswered > 1);
  }
}

/** A connected pack with players, ticks of 50 ms, that has run longer than it remembers anything. */
async function playing(players: number): Promise<CompiledPack> {
  let tick = (): number => 0;
  const made = await startCompiledPack({ now: () => 1_700_000_000_000 + 50 * tick() });
  tick = () => made.sim.world.tick;
  for (let i = 0; i < players; i++) made.sim.world.join(`Player ${i}`);
  await made.sim.until(() => made.sidecar.hellos.length > 0);
  await ticks(made, 2 * MINUTE_TICKS);
  return made;
}

/** Runs until half way between two snapshots, with nothing open but a poll. */
async function quiet({ sim, sidecar }: CompiledPack): Promise<void> {
  const count = sidecar.of("snapshot").length;
  await sim.until(() => sidecar.of("snapshot").length > count);
  await sim.tick(30);
  expect(sim.http.inFlight).toBe(1);
}

describe("the memory of the script", () => {
  it("does not grow in minutes without events, and leaves nothing to collect", async () => {
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
