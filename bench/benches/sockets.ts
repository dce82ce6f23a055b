import type { Bench } from "../bench.ts";
import { median } from "../numbers.ts";
import type { BareSockets } from "../roles/bare-sockets.ts";
import type { SocketLoad } from "../roles/socket-load.ts";
import { startSidecarProcess, UNDISTURBED } from "../sidecar.ts";
import { chatLine, chatUrl } from "../sockets.ts";
import { Worker } from "../worker.ts";

const SOCKETS = 1000;
const ROUNDS = 150;
const WARM_UP = 30;
const LINES = 2;
const TEXT = "has anybody seen the map that lay in the chest?";

const FEW = 100;
const MANY = 2000;
const MOST_KB = 12;

export const fanOut: Bench = {
  name: "fan-out",
  about: `CPU of the sidecar for a line of chat to each of ${SOCKETS} sockets, against a bare loop of ws send`,
  async run(say) {
    const sidecar = await startSidecarProcess(UNDISTURBED);
    const bare = await Worker.start<BareSockets>("bare-sockets");
    const load = await Worker.start<SocketLoad>("socket-load");
    const bareUrl = `ws://127.0.0.1:${await bare.ask("listen", undefined)}`;
    const ownUrl = chatUrl(sidecar.base);
    say(`opening ${2 * SOCKETS} sockets`);
    for (const url of [ownUrl, bareUrl]) {
      await load.ask("open", { url, count: SOCKETS });
      await load.ask("openSpeaker", { url });
    }
    await load.ask("messages", { url: ownUrl, count: SOCKETS });

    /** Microseconds of CPU of a server for each message of a round. */
    async function round(
      url: string,
      server: { ask(name: "cpu", arg: undefined): Promise<number> },
    ): Promise<number> {
      const before = await server.ask("cpu", undefined);
      for (let i = 0; i < LINES; i++) await load.ask("speak", { url, text: chatLine(TEXT), count: SOCKETS });
      return ((await server.ask("cpu", undefined)) - before) / (LINES * SOCKETS);
    }
    const ownRound = (): Promise<number> => round(ownUrl, sidecar.worker);
    const bareRound = (): Promise<number> => round(bareUrl, bare);
    say("warming up");
    for (let i = 0; i < WARM_UP; i++) {
      await ownRound();
      await bareRound();
    }
    const own: number[] = [];
    const reference: number[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      if (i % 50 === 0) say(`round ${i + 1} of ${ROUNDS}`);
      if (i % 2 === 0) own.push(await ownRound());
      reference.push(await bareRound());
      if (i % 2 === 1) own.push(await ownRound());
    }
    await Promise.all([load.end(), bare.end(), sidecar.end()]);
    const ratio = median(own.map((value, i) => value / (reference[i] ?? Number.NaN)));
    return {
      figure: `${ratio.toFixed(2)} of bare (${median(own).toFixed(2)} us a message)`,
      target: "<= 1 of bare",
      reference: `ws send ${median(reference).toFixed(2)} us a message`,
      // As shown: what is less than that is noise.
      ok: Math.round(ratio * 100) <= 100,
      values: { ratio, microseconds: median(own), bareMicroseconds: median(reference) },
    };
  },
};

export const idleMemory: Bench = {
  name: "idle-memory",
  about: `memory of the sidecar for each idle socket between ${FEW} and ${MANY}`,
  async run(say) {
    const sidecar = await startSidecarProcess(UNDISTURBED);
    const load = await Worker.start<SocketLoad>("socket-load");
    const url = chatUrl(sidecar.base);
    await load.ask("open", { url, count: FEW });
    const before = await sidecar.worker.ask("resident", undefined);
    say(`opening ${MANY - FEW} sockets`);
    await load.ask("open", { url, count: MANY - FEW });
    await load.ask("messages", { url, count: MANY });
    const after = await sidecar.worker.ask("resident", undefined);
    await Promise.all([load.end(), sidecar.end()]);
    const each = (after - before) / (MANY - FEW) / 1024;
    return {
      figure: `${each.toFixed(1)} KB each (${Math.round(after / 2 ** 20)} MB with ${MANY})`,
      target: `<= ${MOST_KB} KB each`,
      ok: each <= MOST_KB,
      values: { kilobytesEach: each, bytesBefore: before, bytesAfter: after },
    };
  },
};
