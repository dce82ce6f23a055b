import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { BANS_PART, MAX_BANS } from "../../shared/limits.ts";
import { type Stage, stage } from "./compiled.ts";
import { SidecarBans } from "./sidecar-bans.ts";

let open: Stage | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

/** What the game takes of a text, and a machine that has nothing else to do of a tick. */
const VALUE_BYTES = 32_767;
const TICK_MS = 2;
// Slow machines must not fail this: they have this many times as long for nine ticks of ten.
const SLACK = 10;

const idOf = (i: number): string =>
  (0x2535_0000_0000 + i * 7_919).toString(16).padStart(16, "0").toUpperCase();

/** As many bans as there may be, with reasons as long as they may be. */
function all(): SidecarBans {
  const bans = new SidecarBans();
  const [reason, by] = ["x".repeat(60), "moderator"];
  for (let i = 0; i < MAX_BANS; i++)
    bans.decide({ name: `Player ${i}`, persistentId: idOf(i), at: 1.79e12 + i, reason, by });
  return bans;
}

/** What nine of ten ticks take at most, in milliseconds of the processor: the machine may do other things meanwhile. */
async function most(ticks: number, tick: (i: number) => void): Promise<number> {
  const took: number[] = [];
  for (let i = 0; i < ticks; i++) {
    const begun = process.cpuUsage();
    tick(i);
    const { user, system } = process.cpuUsage(begun);
    took.push((user + system) / 1000);
    // Requests go on between ticks.
    await setTimeout(2);
  }
  return took.sort((one, other) => one - other)[Math.floor(0.9 * ticks)] ?? 0;
}

describe("as many bans as there may be", () => {
  it("come a few in a tick, fit into the values of the world, and keep out whoever knocks all the time", async () => {
    open = await stage();
    const { sim, sidecar, lines } = open;
    const bans = all();
    sidecar.bans = bans;
    await sim.until(() => bans.asked > 1);
    // In one of four ticks there is something to be taken over.
    const took = await most(200, () => sim.tickNow());
    expect(bans.asked).toBeGreaterThan(20);
    await sim.until(() => bans.asked > MAX_BANS / BANS_PART, 100_000);
    await sim.tick(600);
    const values = [...sim.world.dynamicProperties].filter(([key]) => key.startsWith("web_bridge:bans"));
    const sizes = values.map(([, value]) => Buffer.byteLength(String(value)));
    expect(Math.max(...sizes)).toBeLessThan(VALUE_BYTES / 4);
    const quiet = await most(50, () => sim.tickNow());
    // Fifty times a second are five in two ticks.
    const busy = await most(100, i => {
      for (let knock = 0; knock < 3; knock++)
        sim.world.join(`Player ${3 * i + knock}`, { persistentId: idOf(3 * i + knock) });
      sim.tickNow();
    });
    expect(sim.world.players).toEqual([]);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThan(1.4e6);
    expect(Math.max(took, busy - quiet)).toBeLessThan(SLACK * TICK_MS);
    expect(lines().filter(line => /fault|error/i.test(line))).toEqual([]);
  });
});
