import type { Bench } from "../bench.ts";
import { CROWD, TEXT } from "../benches/crowds.ts";
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
    const cpu = (): Promise<number> => listening.worker.ask("cpu", undefined);

    const atRest = await cpu();
    for (let i = 0; i < LINES; i++) await load.ask("speak", { url, text: chatLine(TEXT), count: 1 });
    const perLine = ((await cpu()) - atRest) / LINES;

    const before = [await cpu(), await redis.cpu()] as const;
    await load.ask("open", { url, count: CROWD });
    await load.ask("messages", { url, count: CROWD });
    const perArrival = ((await cpu()) - before[0]) / CROWD;
    const redisPerArrival = ((await redis.cpu()) - before[1]) / CROWD;
    await Promise.all([load.end(), speaking.end(), listening.end()]);
    await redis.end();
    return {
      figure: `${perLine.toFixed(0)} us a line; ${perArrival.toFixed(0)} us a socket, Redis ${redisPerArrival.toFixed(0)} us`,
      target: "measured for the plan",
      ok: true,
      values: { perLine, perArrival, redisPerArrival },
    };
  },
};
