import { once } from "node:events";
import type { Bench } from "../bench.ts";
import { byTurns, CROWD, cpuEach, LINES, TEXT } from "../benches/crowds.ts";
import type { SocketLoad } from "../roles/socket-load.ts";
import { startSidecarProcess, UNDISTURBED } from "../sidecar.ts";
import { chatLine, chatSocket, chatUrl } from "../sockets.ts";
import { Worker } from "../worker.ts";
import { BenchRedis } from "./redis.ts";

const ROUNDS = 120;
/** Lines by which CPU of Redis is measured. */
const REDIS_LINES = 100;
const MOST_RATIO = 1.1;
const LONGEST_MS = 240_000;
/** Of a frame from the server: two bytes, and two more for its length from this on. */
const SHORT_FRAME = 126;

/** Lines to a crowd at each of so many sidecars on one Redis, against one sidecar alone with a crowd. */
export const sharedFanOut = (count: number): Bench => ({
  name: `shared-fan-out-${count}`,
  about: `CPU of ${count} on one Redis for a line to each of ${CROWD} sockets at each of them, against one alone`,
  longestMs: LONGEST_MS,
  async run(say) {
    const redis = await BenchRedis.start();
    const alone = await startSidecarProcess(UNDISTURBED);
    const sidecars = await redis.sidecars(count, UNDISTURBED);
    const load = await Worker.start<SocketLoad>("socket-load");
    const [aloneUrl = "", ...urls] = [alone, ...sidecars].map(({ base }) => chatUrl(base));
    const [first = ""] = urls;
    const bytes = await frameBytes(alone.base);
    say(`opening ${(count + 1) * CROWD} sockets`);
    await load.ask("open", { url: aloneUrl, count: CROWD });
    for (const at of urls) await load.ask("open", { url: first, at, count: CROWD });
    for (const url of [aloneUrl, first]) await load.ask("openSpeaker", { url });
    await load.ask("messages", { url: aloneUrl, count: CROWD });
    await load.ask("messages", { url: first, count: count * CROWD });

    const speak = (url: string, readers: number, lines: number) => async () => {
      for (let i = 0; i < lines; i++) await load.ask("speak", { url, text: chatLine(TEXT), count: readers });
    };
    /** Microseconds of CPU for each line that a reader gets. */
    const round = (url: string, of: typeof sidecars) => () =>
      cpuEach(
        async () => (await Promise.all(of.map(({ cpu }) => cpu()))).reduce((a, b) => a + b, 0),
        LINES * of.length * CROWD,
        speak(url, of.length * CROWD, LINES),
      );
    const rounds = { own: round(first, sidecars), reference: round(aloneUrl, [alone]) };
    const { own, reference, ratio } = await byTurns(rounds, Math.ceil(ROUNDS / count / 2) * 2, say);
    const lines = speak(first, count * CROWD, REDIS_LINES);
    const redisUs = await cpuEach(() => redis.cpu(), REDIS_LINES, lines);
    return {
      figure: `${ratio.toFixed(2)} of one alone (${own.toFixed(2)} us a line), Redis ${redisUs.toFixed(0)} us a line`,
      target: `<= ${MOST_RATIO} of one alone`,
      reference: `alone ${reference.toFixed(2)} us a line`,
      ok: Math.round(ratio * 100) <= MOST_RATIO * 100,
      values: {
        count,
        ratio,
        microseconds: own,
        aloneMicroseconds: reference,
        redisMicroseconds: redisUs,
        bytes,
      },
    };
  },
});

/** Bytes of a line of the crowd on a WebSocket. */
async function frameBytes(base: string): Promise<number> {
  const [reader, speaker] = [await chatSocket(base), await chatSocket(base)];
  const heard = once(reader, "message");
  speaker.send(chatLine(TEXT));
  const [data] = (await heard) as [Buffer];
  for (const socket of [reader, speaker]) socket.terminate();
  return data.length + (data.length < SHORT_FRAME ? 2 : 4);
}
