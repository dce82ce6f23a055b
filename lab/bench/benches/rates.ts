import { type Bench, PLAYERS } from "../bench.ts";
import type { BareSockets } from "../roles/bare-sockets.ts";
import type { LiveGame } from "../roles/live-game.ts";
import type { SocketLoad } from "../roles/socket-load.ts";
import { startSidecarProcess, UNDISTURBED } from "../sidecar.ts";
import { chatLine, chatUrl } from "../sockets.ts";
import { cpuOf } from "../turns.ts";
import { Worker } from "../worker.ts";
import { byTurns, TEXT } from "./crowds.ts";

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
    const sidecar = await startSidecarProcess(UNDISTURBED);
    const bare = await Worker.start<BareSockets>("bare-sockets");
    const load = await Worker.start<SocketLoad>("socket-load");
    const bareUrl = `ws://127.0.0.1:${await bare.ask("listen", undefined)}`;
    const ownUrl = chatUrl(sidecar.base);

    /** Microseconds of CPU of a server for each socket; they are closed while the other server is measured. */
    async function round(cpu: () => Promise<number>, url: string, greetings: number): Promise<number> {
      await load.ask("leave", url);
      const before = await cpu();
      await load.ask("open", { url, count: ARRIVALS });
      await load.ask("messages", { url, count: greetings });
      return ((await cpu()) - before) / ARRIVALS;
    }
    const { own, reference, ratio } = await byTurns(
      {
        own: () => round(cpuOf(sidecar.worker), ownUrl, ARRIVALS),
        reference: () => round(cpuOf(bare), bareUrl, 0),
      },
      ROUNDS,
      say,
      WARM_UP,
    );
    await Promise.all([load.end(), bare.end(), sidecar.end()]);
    return ofBare({ own, reference, ratio }, "a socket");
  },
};

const SPEAKERS = 20;
const LINES = 200;

export const messages: Bench = {
  name: "messages",
  about: `lines of chat taken for the same CPU, from ${SPEAKERS} sockets in turn: each is checked, shown to the ${SPEAKERS - 1} others and handed to the game, which polls for it and says that it is done; against a bare server on ws that parses it, pushes it on an array and relays it`,
  longestMs: LONGEST_MS,
  async run(say) {
    const sidecar = await startSidecarProcess(UNDISTURBED);
    const bare = await Worker.start<BareSockets>("bare-sockets");
    const game = await Worker.start<LiveGame>("live-game");
    await game.ask("start", { bridge: sidecar.bridge, players: PLAYERS, talks: false });
    const load = await Worker.start<SocketLoad>("socket-load");
    const bareUrl = `ws://127.0.0.1:${await bare.ask("listenForGame", undefined)}`;
    const ownUrl = chatUrl(sidecar.base);
    for (const url of [ownUrl, bareUrl]) await load.ask("open", { url, count: SPEAKERS });
    await load.ask("messages", { url: ownUrl, count: SPEAKERS });

    /** Microseconds of CPU of a server for each line. */
    async function round(cpu: () => Promise<number>, url: string, more: () => unknown): Promise<number> {
      const before = await cpu();
      await load.ask("talk", { url, text: chatLine(TEXT), lines: LINES });
      await Promise.all([load.ask("messages", { url, count: LINES * (SPEAKERS - 1) }), more()]);
      return ((await cpu()) - before) / LINES;
    }
    const taken = await byTurns(
      {
        own: () => round(cpuOf(sidecar.worker), ownUrl, () => game.ask("lines", LINES)),
        reference: () => round(cpuOf(bare), bareUrl, () => undefined),
      },
      ROUNDS,
      say,
      WARM_UP,
    );
    await Promise.all([load.end(), bare.end(), game.end(), sidecar.end()]);
    return ofBare(taken, "a line");
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
