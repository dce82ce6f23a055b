import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { median } from "../numbers.ts";
import { snapshot } from "../pack.ts";
import { type SidecarProcess, startSidecarProcess, TOKEN } from "../sidecar.ts";
import { chatSocket } from "../sockets.ts";
import { Teller } from "../teller.ts";
import { ratioOf, takeTurns } from "../turns.ts";

const SERVERS = 10;
const PLAYERS = 20;
const REST_MS = 30_000;
const LINES = 200;
const LONGEST_MS = 180_000;
/** What all of them may cost for one of them, and each further one in memory. */
const MOST_TIMES_CPU = 3;
const MOST_MB_EACH = 1;
/** A line takes its way past none of the others. */
const MOST_TIMES_DELAY = 1.25;

interface Network {
  sidecar: SidecarProcess;
  /** the last of its game servers */
  last: Teller;
  /** Ends what the game servers tell. */
  rest(): void;
}

/** A sidecar for so many game servers, which tell of their players as often as it wants, and poll. */
async function network(count: number): Promise<Network> {
  const tokens = Array.from({ length: count }, (_, i) => (i === 0 ? TOKEN : `${TOKEN}-${i}`));
  const further = tokens.slice(1).map((token, i) => ({ name: `server-${i + 2}`, token }));
  const sidecar = await startSidecarProcess(
    further.length > 0 ? { WEB_BRIDGE_SERVERS: JSON.stringify(further) } : {},
  );
  const games = await Promise.all(tokens.map(token => Teller.connect(sidecar.bridge, token)));
  const timers = games.map((game, i) => {
    let number = 0;
    const tell = (): unknown => game.tell(snapshot(PLAYERS, i + number++));
    tell();
    game.keepPolling(() => undefined).catch(() => undefined);
    return setInterval(tell, game.refreshMs);
  });
  const last = games.at(-1);
  if (!last) throw new Error("there is no game server");
  return { sidecar, last, rest: () => timers.forEach(clearInterval) };
}

/** Milliseconds that a line of the last game server takes to a socket that hears them all. */
async function delayOf({ sidecar, last }: Network): Promise<() => Promise<number>> {
  const socket = await chatSocket(sidecar.base);
  let line = 0;
  return async () => {
    const text = `line ${++line}.`;
    const begun = performance.now();
    const told = last.say(text, 1);
    for (let shown = false; !shown; ) shown = String(await once(socket, "message")).includes(text);
    const ms = performance.now() - begun;
    await told;
    return ms;
  };
}

export const servers: Bench = {
  name: "servers",
  about: `a sidecar for ${SERVERS} game servers of ${PLAYERS} players each that say nothing for ${REST_MS / 1000} s, against one for one of them: CPU, memory, and then the time of a line of game chat to a socket`,
  longestMs: LONGEST_MS,
  async run(say) {
    const both = [await network(SERVERS), await network(1)] as const;
    say("the first snapshots");
    await sleep(REST_MS / 10);
    const cpu = () => Promise.all(both.map(({ sidecar }) => sidecar.cpu()));
    const before = await cpu();
    say(`nothing for ${REST_MS / 1000} s`);
    await sleep(REST_MS);
    const used = (await cpu()).map((us, i) => (us - (before[i] ?? 0)) / REST_MS / 10);
    const memory = await Promise.all(both.map(({ sidecar }) => sidecar.worker.ask("resident", undefined)));
    for (const { rest } of both) rest();
    const [ten, one] = await Promise.all(both.map(delayOf));
    if (!ten || !one) throw new Error("there are no game servers");
    const [tens = [], ones = []] = await takeTurns([ten, one], LINES, say);
    const [cpuTen = 0, cpuOne = 0] = used;
    const [mbTen = 0, mbOne = 0] = memory.map(bytes => bytes / 2 ** 20);
    const times = { cpu: cpuTen / cpuOne, delay: ratioOf(tens, ones) };
    const mbEach = (mbTen - mbOne) / (SERVERS - 1);
    return {
      figure: `${times.cpu.toFixed(1)} times the CPU (${cpuTen.toFixed(2)} % of a core), ${mbEach.toFixed(2)} MB for each further one, ${times.delay.toFixed(2)} times the delay (${median(tens).toFixed(2)} ms)`,
      target: `<= ${MOST_TIMES_CPU} times, <= ${MOST_MB_EACH} MB, <= ${MOST_TIMES_DELAY} times`,
      reference: `one game server ${cpuOne.toFixed(2)} % of a core, ${mbOne.toFixed(0)} MB, ${median(ones).toFixed(2)} ms`,
      ok: times.cpu <= MOST_TIMES_CPU && mbEach <= MOST_MB_EACH && times.delay <= MOST_TIMES_DELAY,
      values: {
        ...{ timesCpu: times.cpu, cpuPercent: cpuTen, oneCpuPercent: cpuOne },
        ...{ megabytes: mbTen, oneMegabytes: mbOne, megabytesEach: mbEach },
        ...{ timesDelay: times.delay, milliseconds: median(tens), oneMilliseconds: median(ones) },
      },
    };
  },
};
