import { type Bench, PLAYERS } from "../bench.ts";
import { median } from "../numbers.ts";
import { Stepped } from "../stepped.ts";

const MINUTE_TICKS = 1_200;
const HOUR_TICKS = 72_000;
/** An interval between two snapshots. */
const SINGLE_TICKS = 101;

export const idleScript: Bench = {
  name: "idle-memory-script",
  about: `what the script holds after an hour of the game with ${PLAYERS} players in which nothing happens`,
  longestMs: 600_000,
  async run(say) {
    const stepped = await Stepped.start(PLAYERS);
    const { game } = stepped;
    // Ticks per second are measured over a minute: from then on that takes no more.
    await stepped.idle(2 * MINUTE_TICKS);
    const before = game.memory();
    game.http.resetCounters();
    for (let done = 0; done < HOUR_TICKS; done += HOUR_TICKS / 4) {
      say(`${done / MINUTE_TICKS} of 60 minutes`);
      await stepped.idle(HOUR_TICKS / 4);
    }
    const uncollected = game.memory(false);
    const after = game.memory();
    const tick = await mostTicks(stepped);
    const objects = after.objects - before.objects;
    const blocks = after.blocks - before.blocks;
    const garbage = uncollected.objects - after.objects;
    const requests = game.http.counters.total;
    return {
      figure: `${signed(objects)} objects and ${signed(blocks)} blocks in an hour, ${signed(tick)} in a tick`,
      target: "0 objects and 0 blocks in an hour, 0 in a tick",
      reference: `${before.objects} objects in ${before.blocks} blocks held; ${requests} requests, after which ${garbage} objects were collected`,
      ok: requests > 0 && objects <= 0 && blocks <= 0 && tick <= 0,
      values: { objects, blocks, tick, heldObjects: before.objects, heldBlocks: before.blocks, garbage },
    };
  },
};

/** Blocks that a single tick leaves, nothing collected: the median, as in most nothing is due. */
async function mostTicks(stepped: Stepped): Promise<number> {
  const left: number[] = [];
  for (let i = 0; i < SINGLE_TICKS; i++) {
    const { blocks } = stepped.game.memory(false);
    await stepped.idle(1);
    left.push(stepped.game.memory(false).blocks - blocks);
  }
  return median(left);
}

const signed = (count: number): string => (count > 0 ? `+${count}` : `${count}`);
