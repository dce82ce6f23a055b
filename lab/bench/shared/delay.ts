import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { Live, WARM_UP } from "../live.ts";
import { median } from "../numbers.ts";
import { chatSocket } from "../sockets.ts";
import { type Appendfsync, BenchRedis } from "./redis.ts";

const LINES = 80;
const MOST_ADDED_MS = 2;
const LONGEST_MS = 60_000;
/** Lets a tick pass in between. */
const PAUSE_MS = 20;

/**
 * A line of game chat with the pack at one sidecar and the reader at another one on one Redis, against one alone. What is kept is
 * on the disk within a second, as one alone has its lines; or with `always`, before anybody hears of them, which takes as long
 * as the disk does.
 */
const delay = (name: string, appendfsync: Appendfsync): Bench => ({
  name,
  about: `a line of game chat from a player to a socket at another sidecar on one Redis (appendfsync ${appendfsync}), against one alone`,
  longestMs: LONGEST_MS,
  async run(say) {
    const redis = await BenchRedis.start(appendfsync);
    const alone = await Live.start(1);
    const sidecars = await redis.sidecars(2);
    const shared = await Live.start(1, sidecars[0]);
    const ways = [
      { live: alone, socket: await chatSocket(alone.sidecar.base), taken: [] as number[] },
      { live: shared, socket: await chatSocket(sidecars.at(-1)?.base ?? ""), taken: [] as number[] },
    ];
    for (let i = -WARM_UP; i < LINES; i++) {
      if (i >= 0 && i % 40 === 0) say(`${i} of ${LINES} lines`);
      for (const { live, socket, taken } of ways) {
        // Said at the same moment of a tick each time: what is left of the delay is that of network and processes.
        await live.tick();
        const line = `line ${i}.`;
        const begun = performance.now();
        live.game.world.player("Player 0").say(line);
        for (let shown = false; !shown; ) shown = String(await once(socket, "message")).includes(line);
        if (i >= 0) taken.push(performance.now() - begun);
        await sleep(PAUSE_MS);
      }
    }
    const [aloneMs = 0, sharedMs = 0] = ways.map(({ taken }) => median(taken));
    const added = sharedMs - aloneMs;
    return {
      figure: `${added.toFixed(2)} ms added (median ${sharedMs.toFixed(1)} ms, said right after a tick)`,
      target: appendfsync === "always" ? "measured for the plan" : `<= ${MOST_ADDED_MS} ms added`,
      reference: `alone ${aloneMs.toFixed(1)} ms`,
      ok: appendfsync === "always" || added <= MOST_ADDED_MS,
      values: { added, milliseconds: sharedMs, aloneMilliseconds: aloneMs },
    };
  },
});

export const sharedDelays = [delay("shared-delay", "everysec"), delay("shared-delay-always", "always")];
