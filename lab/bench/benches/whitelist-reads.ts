import type { Bench } from "../bench.ts";
import { Live } from "../live.ts";
import { median, quantile } from "../numbers.ts";
import { ADMIN_KEY } from "../sidecar.ts";

const ROUNDS = 10;
const AT_ONCE = 50;
/** One that goes on when the others come, one for these, and one for whoever comes late. */
const MOST = 3;

export const whitelistReads: Bench = {
  name: "whitelist-reads",
  about: `reads of the game for ${AT_ONCE} times GET /whitelist at once, 20 ticks a second`,
  async run() {
    const live = await Live.start(1);
    const { allowList } = live.game.world;
    allowList.put({ name: "Steve" });
    const [reads, slowest]: [number[], number[]] = [[], []];
    // The first round opens the connections.
    for (let round = -1; round < ROUNDS; round++) {
      const [before, begun] = [allowList.reads, performance.now()];
      await Promise.all(Array.from({ length: AT_ONCE }, () => read(live)));
      if (round < 0) continue;
      reads.push(allowList.reads - before);
      slowest.push(performance.now() - begun);
    }
    const [most, ms] = [quantile(reads, 1), median(slowest)];
    return {
      figure: `${most} reads at most, all answered after ${ms.toFixed(0)} ms`,
      target: `<= ${MOST} reads`,
      reference: `${AT_ONCE} answers`,
      ok: most <= MOST,
      values: { reads: most, medianReads: median(reads), milliseconds: ms },
    };
  },
};

async function read({ sidecar }: Live): Promise<void> {
  const answer = await fetch(`${sidecar.base}/whitelist`, { headers: { "X-Service-Api-Key": ADMIN_KEY } });
  const text = await answer.text();
  if (text !== '["Steve"]') throw new Error(`/whitelist: ${answer.status} ${text}`);
}
