import { UNLIMITED } from "../scale/unlimited.ts";
import type { RecordedResponse } from "./bare.ts";
import { type Bench, byTurns, PLAYERS } from "./bench.ts";
import { Game } from "./game.ts";
import { load } from "./load.ts";
import { cpuOfEach, startPart, startSidecar } from "./processes.ts";

const PATHS = ["/status", "/players"];
const CONNECTIONS = 50;
const REQUESTS = 30_000;
const ROUNDS = 5;
const LEAST = 0.85;

/** Headers that Node adds to every response itself. */
const BY_NODE = new Set(["date", "connection", "keep-alive"]);

export const http: Bench = {
  name: "http",
  about: `GET /status and GET /players with ${PLAYERS} players on ${CONNECTIONS} connections: responses for the CPU time of one by node:http with the same bytes`,
  async run() {
    const sidecar = await startSidecar(UNLIMITED);
    await Game.join(sidecar.bridge);
    const taken = [];
    for (const path of PATHS) {
      const bare = await startPart("--bare-http", JSON.stringify(await record(`${sidecar.base}${path}`)));
      const cpu =
        ({ base, pid }: { base: string; pid: number }) =>
        () =>
          cpuOfEach(pid, REQUESTS, () => load(`${base}${path}`, REQUESTS, CONNECTIONS));
      taken.push({ path, ...(await byTurns(ROUNDS, cpu(sidecar), cpu(bare))) });
    }
    return {
      figure: taken.map(({ path, ratio }) => `${path} ${(1 / ratio).toFixed(2)}`).join(", "),
      target: `>= ${LEAST} each`,
      isMet: taken.every(({ ratio }) => 1 / ratio >= LEAST),
      reference: taken
        .map(({ own, bare }) => `${own.toFixed(0)} us, node:http ${bare.toFixed(0)} us`)
        .join("; "),
    };
  },
};

async function record(url: string): Promise<RecordedResponse> {
  const answer = await fetch(url, { headers: { "Accept-Encoding": "identity" } });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const headers = [...answer.headers].filter(([name]) => !BY_NODE.has(name));
  return { headers, body: await answer.text() };
}
