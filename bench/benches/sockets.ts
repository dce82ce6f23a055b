import type { Bench } from "../bench.ts";
import type { BareSockets } from "../roles/bare-sockets.ts";
import type { SocketLoad } from "../roles/socket-load.ts";
import { startSidecarProcess, UNDISTURBED } from "../sidecar.ts";
import { chatLine, chatUrl } from "../sockets.ts";
import { Worker } from "../worker.ts";
import { byTurns, CROWD, FEW, idleMemoryOf, LINES, MANY, TEXT } from "./crowds.ts";

const ROUNDS = 150;

export const fanOut: Bench = {
  name: "fan-out",
  about: `CPU of the sidecar for a line of chat to each of ${CROWD} sockets, against a bare loop of ws send`,
  async run(say) {
    const sidecar = await startSidecarProcess(UNDISTURBED);
    const bare = await Worker.start<BareSockets>("bare-sockets");
    const load = await Worker.start<SocketLoad>("socket-load");
    const bareUrl = `ws://127.0.0.1:${await bare.ask("listen", undefined)}`;
    const ownUrl = chatUrl(sidecar.base);
    say(`opening ${2 * CROWD} sockets`);
    for (const url of [ownUrl, bareUrl]) {
      await load.ask("open", { url, count: CROWD });
      await load.ask("openSpeaker", { url });
    }
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
    await Promise.all([load.end(), bare.end(), sidecar.end()]);
    return {
      figure: `${ratio.toFixed(2)} of bare (${own.toFixed(2)} us a message)`,
      target: "<= 1 of bare",
      reference: `ws send ${reference.toFixed(2)} us a message`,
      // As shown: what is less than that is noise.
      ok: Math.round(ratio * 100) <= 100,
      values: { ratio, microseconds: own, bareMicroseconds: reference },
    };
  },
};

export const idleMemory: Bench = {
  name: "idle-memory",
  about: `memory of the sidecar for each idle socket between ${FEW} and ${MANY}`,
  run: say => idleMemoryOf(chatUrl, 1, say),
};
