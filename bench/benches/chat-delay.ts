import { once } from "node:events";
import type { Bench } from "../bench.ts";
import { Live } from "../live.ts";
import { steadyRandom } from "../numbers.ts";
import { chatLine, chatSocket } from "../sockets.ts";
import { delays } from "./delays.ts";

const LINES = 80;
const WARM_UP = 5;

export const webToGame: Bench = {
  name: "web-to-game",
  about: "a line of web chat, from the socket to a player's screen",
  async run(say) {
    const live = await Live.start(1);
    const [player] = live.players;
    const socket = await chatSocket(live.sidecar.base);
    const taken = await repeat(live, say, async line => {
      const isShown = (): boolean => player?.chat.at(-1)?.includes(line) === true;
      return live.untilShown(() => socket.send(chatLine(line)), isShown);
    });
    socket.terminate();
    await live.end();
    return delays(taken, { median: 1.5, p95: 2.5 });
  },
};

export const gameToWeb: Bench = {
  name: "game-to-web",
  about: "a line of game chat, from a player to a socket",
  async run(say) {
    const live = await Live.start(1);
    const [player] = live.players;
    const socket = await chatSocket(live.sidecar.base);
    const taken = await repeat(live, say, async line => {
      const begun = performance.now();
      player?.say(line);
      for (let shown = false; !shown; ) shown = String(await once(socket, "message")).includes(line);
      return performance.now() - begun;
    });
    socket.terminate();
    await live.end();
    return delays(taken, { median: 1, p95: 2 });
  },
};

/** Measures lines one after another, each at another moment of a tick; the first few do not count. */
async function repeat(
  live: Live,
  say: (words: string) => void,
  measure: (line: string) => Promise<number>,
): Promise<number[]> {
  const random = steadyRandom();
  const taken: number[] = [];
  for (let i = -WARM_UP; i < LINES; i++) {
    await live.pause(random);
    const ms = await measure(`line ${i}.`);
    if (i >= 0) taken.push(ms);
    if (i % 40 === 0) say(`${Math.max(0, i)} of ${LINES} lines`);
  }
  return taken;
}
