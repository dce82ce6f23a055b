import type { Bench, Result } from "../bench.ts";
import type { BareSockets } from "../roles/bare-sockets.ts";
import { cpuOf } from "../sidecar.ts";
import { chatLine, chatUrl } from "../sockets.ts";
import { Teller } from "../teller.ts";
import { Worker } from "../worker.ts";
import { besideBare, byTurns, CROWD, cpuEach, FEW, idleMemoryOf, LINES, MANY, TEXT } from "./crowds.ts";

const ROUNDS = 150;
const WRITER_ROUNDS = 80;
const LEAST_TIMES_ONE = 1.1;

/** A sidecar and a bare server on ws, each with as many sockets. */
async function twoCrowds(say: (words: string) => void) {
  const both = await besideBare();
  say(`opening ${2 * CROWD} sockets`);
  for (const url of both.urls) await both.load.ask("open", { url, count: CROWD });
  await both.load.ask("messages", { url: both.ownUrl, count: CROWD });
  return both;
}

export const fanOut: Bench = {
  name: "fan-out",
  about: `CPU of the sidecar for a line of chat to each of ${CROWD} sockets, against a bare loop of ws send`,
  async run(say) {
    const { sidecar, bareCpu, load, ownUrl, bareUrl, urls } = await twoCrowds(say);
    for (const url of urls) await load.ask("openSpeaker", { url });

    const round = (url: string, cpu: () => Promise<number>) => () =>
      cpuEach(cpu, LINES * CROWD, async () => {
        for (let i = 0; i < LINES; i++) await load.ask("speak", { url, text: chatLine(TEXT), count: CROWD });
      });
    const reference = round(bareUrl, bareCpu);
    const taken = await byTurns({ own: round(ownUrl, sidecar.cpu), reference }, ROUNDS, say);
    say("a bare loop of writes");
    const writer = await Worker.start<BareSockets>("bare-sockets");
    const url = `ws://127.0.0.1:${await writer.ask("listenForWrites", undefined)}`;
    await load.ask("open", { url, count: CROWD });
    await load.ask("openSpeaker", { url });
    const written = await byTurns({ own: round(url, cpuOf(writer)), reference }, WRITER_ROUNDS, say);
    return timesBetter(taken, LEAST_TIMES_ONE, 2, written.ratio);
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
    const { sidecar, bareCpu, load, ownUrl, bareUrl } = await twoCrowds(say);
    await load.ask("openSpeaker", { url: bareUrl });
    const game = await Teller.connect(sidecar.bridge);
    const count = BURST * CROWD;
    const tell = () => Promise.all([game.say(TEXT, BURST), load.ask("messages", { url: ownUrl, count })]);
    const speech = { url: bareUrl, text: chatLine(TEXT), times: BURST, count };
    const own = () => cpuEach(sidecar.cpu, count, tell);
    const reference = () => cpuEach(bareCpu, count, () => load.ask("speak", speech));
    return timesBetter(await byTurns({ own, reference }, BURST_ROUNDS, say, BURST_WARM_UP), LEAST_TIMES, 1);
  },
};

/** `writesRatio`: of one write to each connection, where that was measured, too. */
function timesBetter(
  { own, reference, ratio }: { own: number; reference: number; ratio: number },
  least: number,
  digits: number,
  writesRatio?: number,
): Result {
  const times = (1 / ratio).toFixed(digits);
  const writes =
    writesRatio === undefined
      ? ""
      : `; one write to each connection and nothing else ${(1 / writesRatio).toFixed(2)} times better`;
  return {
    figure: `${times} times better than bare (${own.toFixed(2)} us a message)`,
    target: `>= ${least} times better than bare`,
    reference: `ws send ${reference.toFixed(2)} us a message${writes}`,
    // As shown: what is less than that is noise.
    ok: Number(times) >= least,
    values: {
      ratio,
      microseconds: own,
      bareMicroseconds: reference,
      ...(writesRatio !== undefined && { writesRatio }),
    },
  };
}

export const idleMemory: Bench = {
  name: "idle-memory",
  about: `memory of the sidecar for each idle socket between ${FEW} and ${MANY}`,
  run: say => idleMemoryOf(chatUrl, 1, say),
};
