import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { seededRandom } from "../../simulator/random.ts";
import { type Bench, NO_TARGET, TICK_MS } from "../bench.ts";
import { Live } from "../live.ts";
import { quantile } from "../numbers.ts";
import { Played } from "../played.ts";
import { type PolledBridge, pollingPack } from "../roles/polled-bridge.ts";
import { chatLine, chatSocket } from "../sockets.ts";
import { Worker } from "../worker.ts";
import { idleRequests } from "./pack.ts";

const LINES = 120;
const POLL_MS = 400;
const MINUTE_MS = 60_000;

export const polled: Bench = {
  name: "poll-400",
  about: `a line of web chat, from the socket to a player's screen, against a pack that asks a bare server on ws and node:http each ${POLL_MS} ms, in the same simulated game; and the requests of a minute in which nothing happens`,
  longestMs: 240_000,
  async run(say) {
    const idle = await idleRequests.run(say);
    const own = await Live.start(1);
    const socket = await chatSocket(own.sidecar.base);
    const ours = await delaysOf(own, socket, say);
    await Promise.all([own.end(), own.sidecar.end()]);

    const bridge = await Worker.start<PolledBridge>("polled-bridge");
    const port = await bridge.ask("listen", undefined);
    const other = await Played.play(1, { pack: pollingPack(`http://127.0.0.1:${port}/`) });
    const theirs = new WebSocket(`ws://127.0.0.1:${port}`);
    await once(theirs, "open");
    other.game.http.resetCounters();
    const begun = performance.now();
    const polls = await delaysOf(other, theirs, say);
    const minutes = (performance.now() - begun) / MINUTE_MS;
    const pollRequests = other.game.http.counters.total / minutes;

    const requests = "values" in idle ? (idle.values.requests ?? 0) : 0;
    return {
      figure: `p50 ${ms(ours, 0.5)}, p99 ${ms(ours, 0.99)} ms; ${requests} requests a minute`,
      target: NO_TARGET,
      reference: `a poll each ${POLL_MS} ms: p50 ${ms(polls, 0.5)}, p99 ${ms(polls, 0.99)} ms; ${Math.round(pollRequests)} requests a minute`,
      ok: true,
      values: {
        p50Ms: quantile(ours, 0.5),
        p99Ms: quantile(ours, 0.99),
        pollP50Ms: quantile(polls, 0.5),
        pollP99Ms: quantile(polls, 0.99),
        requests,
        pollRequests,
      },
    };
  },
};

const ms = (taken: readonly number[], share: number): string => quantile(taken, share).toFixed(0);

/** Delays of lines in milliseconds, each at another moment between two polls. */
async function delaysOf(live: Played, socket: WebSocket, say: (words: string) => void): Promise<number[]> {
  const random = seededRandom(7);
  const player = live.game.world.player("Player 0");
  const taken = await live.repeat(LINES, { say, what: "lines" }, async i => {
    await sleep((POLL_MS - TICK_MS) * random());
    const line = `line ${i}.`;
    return live.untilShown(
      () => socket.send(chatLine(line)),
      () => player.chat.at(-1)?.includes(line) === true,
    );
  });
  socket.terminate();
  return taken;
}
