import type { Bench } from "../bench.ts";
import { CROWD, cpuEach, TEXT } from "../benches/crowds.ts";
import type { SocketLoad } from "../roles/socket-load.ts";
import { UNDISTURBED } from "../sidecar.ts";
import { chatLine, chatUrl } from "../sockets.ts";
import { Worker } from "../worker.ts";
import { BenchRedis } from "./redis.ts";

const LINES = 400;

/** What there is besides readers: lines that a sidecar reads, and sockets that open. */
export const sharedArrivals: Bench = {
  name: "shared-arrivals",
  about: `CPU of a sidecar on Redis for a line before anybody gets it, and of both for each of ${CROWD} sockets that open`,
  async run() {
    const redis = await BenchRedis.start();
    const [speaking, listening] = await redis.sidecars(2, UNDISTURBED);
    if (speaking === undefined || listening === undefined) throw new Error("there are no sidecars");
    const load = await Worker.start<SocketLoad>("socket-load");
    const url = chatUrl(listening.base);
    await load.ask("open", { url, count: 1 });
    await load.ask("openSpeaker", { url, at: chatUrl(speaking.base) });
    await load.ask("messages", { url, count: 1 });
    const perLine = await cpuEach(listening.cpu, LINES, async () => {
      for (let i = 0; i < LINES; i++) await load.ask("speak", { url, text: chatLine(TEXT), count: 1 });
    });
    let redisPerArrival = 0;
    const perArrival = await cpuEach(listening.cpu, CROWD, async () => {
      redisPerArrival = await cpuEach(
        () => redis.cpu(),
        CROWD,
        async () => {
          await load.ask("open", { url, count: CROWD });
          await load.ask("messages", { url, count: CROWD });
        },
      );
    });
    return {
      figure: `${perLine.toFixed(0)} us a line; ${perArrival.toFixed(0)} us a socket, Redis ${redisPerArrival.toFixed(0)} us`,
      target: "measured for the plan",
      ok: true,
      values: { perLine, perArrival, redisPerArrival },
    };
  },
};
