import { type Bench, PLAYERS } from "../bench.ts";
import type { LiveGame } from "../roles/live-game.ts";
import { chatLine } from "../sockets.ts";
import { Worker } from "../worker.ts";
import { besideBare, byTurns, cpuEach, TEXT } from "./crowds.ts";

const LEAST = 0.7;
const ROUNDS = 40;
const WARM_UP = 10;
const SECOND_US = 1_000_000;
const LONGEST_MS = 180_000;

const ARRIVALS = 200;

export const connections: Bench = {
  name: "connections",
  about: `WebSockets taken for the same CPU, ${ARRIVALS} at a time and 50 at once, from the handshake to the open event and our greeting, against a bare server on ws, which greets nobody`,
  longestMs: LONGEST_MS,
  async run(say) {
    const { sidecar, bareCpu, load, ownUrl, bareUrl } = await besideBare();

    /** They are closed while the other server is measured. */
    const round = (cpu: () => Promise<number>, url: string, greetings: number) => async () => {
      await load.ask("leave", url);
      return cpuEach(cpu, ARRIVALS, async () => {
        await load.ask("open", { url, count: ARRIVALS });
        await load.ask("messages", { url, count: greetings });
      });
    };
    const rounds = { own: round(sidecar.cpu, ownUrl, ARRIVALS), reference: round(bareCpu, bareUrl, 0) };
    return ofBare(await byTurns(rounds, ROUNDS, say, WARM_UP), "a socket");
  },
};

const SPEAKERS = 20;
const LINES = 200;

export const messages: Bench = {
  name: "messages",
  about: `lines of chat taken for the same CPU, from ${SPEAKERS} sockets in turn: each is checked, shown to the ${SPEAKERS - 1} others and handed to the game, which polls for it and says that it is done; against a bare server on ws that parses it, pushes it on an array and relays it`,
  longestMs: LONGEST_MS,
  async run(say) {
    const { sidecar, bareCpu, load, ownUrl, bareUrl, urls } = await besideBare("listenForGame");
    const game = await Worker.start<LiveGame>("live-game");
    await game.ask("start", { bridge: sidecar.bridge, players: PLAYERS, talks: false });
    for (const url of urls) await load.ask("open", { url, count: SPEAKERS });
    await load.ask("messages", { url: ownUrl, count: SPEAKERS });

    const round = (cpu: () => Promise<number>, url: string, more?: () => Promise<void>) => () =>
      cpuEach(cpu, LINES, async () => {
        await load.ask("talk", { url, text: chatLine(TEXT), lines: LINES });
        await Promise.all([load.ask("messages", { url, count: LINES * (SPEAKERS - 1) }), more?.()]);
      });
    const own = round(sidecar.cpu, ownUrl, () => game.ask("lines", LINES));
    return ofBare(await byTurns({ own, reference: round(bareCpu, bareUrl) }, ROUNDS, say, WARM_UP), "a line");
  },
};

/** `ratio`: CPU of ours as a share of that of the reference. */
function ofBare({ own, reference, ratio }: { own: number; reference: number; ratio: number }, each: string) {
  const rate = 1 / ratio;
  const shown = (us: number): string =>
    `${us.toFixed(0)} us ${each}, ${Math.round(SECOND_US / us)} in a second of CPU`;
  return {
    figure: `${rate.toFixed(2)} of bare (${shown(own)})`,
    target: `>= ${LEAST} of bare`,
    reference: `ws ${shown(reference)}`,
    ok: rate >= LEAST,
    values: { ratio: rate, microseconds: own, bareMicroseconds: reference },
  };
}
