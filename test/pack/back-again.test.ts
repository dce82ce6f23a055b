import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { PATHS } from "../../shared/frames.ts";
import { away, playground, started } from "./harness.ts";

type Game = ReturnType<typeof playground>;

/** Another one is started in its place; after how many ticks the pack has a session. */
async function back(game: Game): Promise<number> {
  const { sidecar } = game;
  sidecar.mode = "ok";
  sidecar.session += "+";
  const hellos = sidecar.hellos.length;
  let ticks = 0;
  while (sidecar.hellos.length === hellos && ticks < 1000) {
    await game.tick();
    ticks++;
  }
  return ticks;
}

describe("a sidecar that answers again", () => {
  it("[RETRY-7] has the pack back within two seconds, however long it was away", async () => {
    const ticks = fc.integer({ min: 1, max: 1500 });
    await fc.assert(
      fc.asyncProperty(ticks, async outage => {
        const game = await started();
        await away(game, outage);
        expect(await back(game)).toBeLessThanOrEqual(40);
      }),
      { numRuns: 25 },
    );
  });
});

describe("a sidecar that answers hello and nothing else", () => {
  /** Hellos within each of so many spans of ten seconds. */
  async function hellos(status: number, error: string, spans: number): Promise<number[]> {
    const game = playground();
    const { sidecar } = game;
    const fail = ({ path }: { path: string }) => {
      if (path === PATHS.hello) return undefined;
      sidecar.answers.push(fail);
      return { status, body: JSON.stringify({ error }) };
    };
    sidecar.answers.push(fail, fail);
    game.pack.begin();
    const counts: number[] = [];
    for (let i = 0; i < spans; i++) {
      const before = sidecar.hellos.length;
      await game.tick(200);
      counts.push(sidecar.hellos.length - before);
    }
    return counts;
  }

  it.each([
    ["as if there were none", 502, "bad_gateway"],
    ["as a session that it does not know", 409, "unknown_session"],
  ])(
    "[RETRY-6] is asked again every 1.5 s at last, where it fails the rest %s",
    async (_how, status, error) => {
      const counts = await hellos(status, error, 4);
      expect(counts[0]).toBeLessThanOrEqual(12);
      for (const count of counts.slice(1)) expect([5, 6, 7]).toContain(count);
    },
  );

  it("[RETRY-6] is asked again every 15 s at last, where it refuses the rest", async () => {
    const counts = await hellos(500, "unexpected_result", 9);
    expect(counts.slice(4).every(count => count <= 1)).toBe(true);
  });
});
