import { type Bench, PLAYERS } from "../bench.ts";
import { median } from "../numbers.ts";
import { reportPlayers } from "../pack.ts";
import type { BareHttp, Recorded } from "../roles/bare-http.ts";
import type { HttpLoad } from "../roles/http-load.ts";
import { startSidecarProcess, UNDISTURBED } from "../sidecar.ts";
import { Worker } from "../worker.ts";

const CONNECTIONS = 50;
const ROUNDS = 15;
const ROUND_MS = 300;
const WARM_UP_MS = 1000;
const LEAST = 0.8;

/** Headers that Node adds to every answer by itself. */
const BY_NODE = new Set(["date", "connection", "keep-alive"]);

export const status = throughput("http-status", "/status");
export const players = throughput("http-players", "/players");

function throughput(name: string, path: string): Bench {
  return {
    name,
    about: `GET ${path} with ${PLAYERS} players, against a bare server on node:http`,
    async run(say) {
      const sidecar = await startSidecarProcess(UNDISTURBED);
      await reportPlayers(sidecar.bridge, PLAYERS);
      const bare = await Worker.start<BareHttp>("bare-http");
      const load = await Worker.start<HttpLoad>("http-load");
      const barePort = await bare.ask("listen", await record(`${sidecar.base}${path}`));
      const run = (port: number, ms: number): Promise<number> =>
        load.ask("run", { port, path, connections: CONNECTIONS, ms });
      const ownPort = Number(new URL(sidecar.base).port);
      say("warming up");
      for (const port of [ownPort, barePort]) await run(port, WARM_UP_MS);
      const own: number[] = [];
      const reference: number[] = [];
      for (let i = 0; i < ROUNDS; i++) {
        if (i % 5 === 0) say(`round ${i + 1} of ${ROUNDS}`);
        // The one who goes first may find the machine in another state.
        for (const mine of i % 2 === 0 ? [true, false] : [false, true])
          (mine ? own : reference).push(await run(mine ? ownPort : barePort, ROUND_MS));
      }
      await Promise.all([load.end(), bare.end(), sidecar.end()]);
      const ratio = median(own.map((value, i) => value / (reference[i] ?? Number.NaN)));
      return {
        figure: `${ratio.toFixed(2)} of bare (${Math.round(median(own))} a second)`,
        target: `>= ${LEAST} of bare`,
        reference: `node:http ${Math.round(median(reference))} a second`,
        ok: ratio >= LEAST,
        values: { ratio, perSecond: median(own), barePerSecond: median(reference) },
      };
    },
  };
}

/** An answer as the bare server has to give it. */
async function record(url: string): Promise<Recorded> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const headers = [...answer.headers].filter(([key]) => !BY_NODE.has(key));
  return { headers, body: await answer.text() };
}
