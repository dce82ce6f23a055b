import type { Bench } from "../bench.ts";
import type { BareSockets } from "../roles/bare-sockets.ts";
import type { SocketLoad } from "../roles/socket-load.ts";
import { startSidecarProcess, UNDISTURBED } from "../sidecar.ts";
import { chatLine, chatUrl } from "../sockets.ts";
import { Teller } from "../teller.ts";
import { Worker } from "../worker.ts";
import { byTurns, CROWD, FEW, idleMemoryOf, LINES, MANY, TEXT } from "./crowds.ts";

const ROUNDS = 150;
const WRITER_ROUNDS = 80;
const LEAST_TIMES_ONE = 1.1;

/** A sidecar and a bare server on ws, each with as many sockets. */
async function twoCrowds(say: (words: string) => void) {
  const sidecar = await startSidecarProcess(UNDISTURBED);
  const bare = await Worker.start<BareSockets>("bare-sockets");
  const load = await Worker.start<SocketLoad>("socket-load");
  const bareUrl = `ws://127.0.0.1:${await bare.ask("listen", undefined)}`;
  const ownUrl = chatUrl(sidecar.base);
  say(`opening ${2 * CROWD} sockets`);
  for (const url of [ownUrl, bareUrl]) await load.ask("open", { url, count: CROWD });
  return { sidecar, bare, load, ownUrl, bareUrl };
}

export const fanOut: Bench = {
  name: "fan-out",
  about: `CPU of the sidecar for a line of chat to each of ${CROWD} sockets, against a bare loop of ws send`,
  async run(say) {
    const { sidecar, bare, load, ownUrl, bareUrl } = await twoCrowds(say);
    for (const url of [ownUrl, bareUrl]) await load.ask("openSpeaker", { url });
    await load.ask("messages", { url: ownUrl, count: CROWD });

    /** Microseconds of CPU of a server for each message of a round. */
    async function round(
      url: string,
      server: { ask(name: "cpu", arg: undefined): Promise<number> },
    ): Promise<number> {
      const before = await server.ask("cpu", undefined);
      for (let i = 0; i < LINES; i++) await load.ask("speak", { url, text: chatLine(TEXT), count: CROWD });
      return ((await server.ask("cpu", undefined)) - before) / (LINES * CROWD);
    }
    const { own, reference, ratio } = await byTurns(
      { own: () => round(ownUrl, sidecar.worker), reference: () => round(bareUrl, bare) },
      ROUNDS,
      say,
    );
    say("a bare loop of writes");
    const writer = await Worker.start<BareSockets>("bare-sockets");
    const writerUrl = `ws://127.0.0.1:${await writer.ask("listenForWrites", undefined)}`;
    await load.ask("open", { url: writerUrl, count: CROWD });
    await load.ask("openSpeaker", { url: writerUrl });
    const written = await byTurns(
      { own: () => round(writerUrl, writer), reference: () => round(bareUrl, bare) },
      WRITER_ROUNDS,
      say,
    );
    await Promise.all([load.end(), bare.end(), sidecar.end(), writer.end()]);
    const times = 1 / ratio;
    const writes = 1 / written.ratio;
    return {
      figure: `${times.toFixed(2)} times better than bare (${own.toFixed(2)} us a message)`,
      target: `>= ${LEAST_TIMES_ONE} times better than bare`,
      reference: `ws send ${reference.toFixed(2)} us a message; one write to each connection and nothing else ${writes.toFixed(2)} times better`,
      // As shown: what is less than that is noise.
      ok: Math.round(times * 100) >= 100 * LEAST_TIMES_ONE,
      values: { ratio, microseconds: own, bareMicroseconds: reference, writesRatio: written.ratio },
    };
  },
};

/** Lines that one tick of the game brings. */
const BURST = 20;
const BURST_ROUNDS = 24;
const BURST_WARM_UP = 4;
const LEAST_TIMES = 4;

export const burst: Bench = {
  name: "burst",
  about: `CPU of the sidecar for each of ${BURST} lines that one tick brings to each of ${CROWD} sockets, against a bare loop of ws send`,
  async run(say) {
    const { sidecar, bare, load, ownUrl, bareUrl } = await twoCrowds(say);
    await load.ask("openSpeaker", { url: bareUrl });
    await load.ask("messages", { url: ownUrl, count: CROWD });
    const game = await Teller.connect(sidecar.bridge);
    const count = BURST * CROWD;

    /** Microseconds of CPU of a server for each message that a socket gets while `tell` is done. */
    async function round(
      server: { ask(name: "cpu", arg: undefined): Promise<number> },
      tell: () => Promise<unknown>,
    ): Promise<number> {
      const before = await server.ask("cpu", undefined);
      await tell();
      return ((await server.ask("cpu", undefined)) - before) / count;
    }
    const { own, reference, ratio } = await byTurns(
      {
        own: () =>
          round(sidecar.worker, () =>
            Promise.all([game.say(TEXT, BURST), load.ask("messages", { url: ownUrl, count })]),
          ),
        reference: () =>
          round(bare, () => load.ask("speak", { url: bareUrl, text: chatLine(TEXT), times: BURST, count })),
      },
      BURST_ROUNDS,
      say,
      BURST_WARM_UP,
    );
    await Promise.all([load.end(), bare.end(), sidecar.end()]);
    const times = 1 / ratio;
    return {
      figure: `${times.toFixed(1)} times better than bare (${own.toFixed(2)} us a message)`,
      target: `>= ${LEAST_TIMES} times better than bare`,
      reference: `ws send ${reference.toFixed(2)} us a message`,
      ok: times >= LEAST_TIMES,
      values: { ratio, microseconds: own, bareMicroseconds: reference },
    };
  },
};

export const idleMemory: Bench = {
  name: "idle-memory",
  about: `memory of the sidecar for each idle socket between ${FEW} and ${MANY}`,
  run: say => idleMemoryOf(chatUrl, 1, say),
};
