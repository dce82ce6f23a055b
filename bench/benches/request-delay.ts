import type { Bench } from "../bench.ts";
import { Live } from "../live.ts";
import { steadyRandom } from "../numbers.ts";
import { ADMIN_KEY } from "../sidecar.ts";
import { delays } from "./delays.ts";

const REQUESTS = 60;
const WARM_UP = 5;
const LIMITS = { p95: 4 };

export const whitelistDelay: Bench = {
  name: "whitelist",
  about: "POST /whitelist, until it is answered",
  async run(say) {
    const live = await Live.start(1);
    const headers = { "X-Service-Api-Key": ADMIN_KEY };
    const taken = await repeat(live, say, i => post(live, "/whitelist", headers, { playerName: `New_${i}` }));
    await live.end();
    return delays(taken, LIMITS);
  },
};

export const linkDelay: Bench = {
  name: "link-player",
  about: "POST /link-player, until it is answered",
  async run(say) {
    const live = await Live.start(REQUESTS + WARM_UP);
    const cookies: string[] = [];
    for (const _ of live.players) cookies.push(await newSession(live));
    const taken = await repeat(live, say, i => {
      const headers = { Cookie: cookies[i] ?? "" };
      return post(live, "/link-player", headers, { username: live.players[i]?.name });
    });
    await live.end();
    return delays(taken, LIMITS);
  },
};

async function repeat(
  live: Live,
  say: (words: string) => void,
  measure: (i: number) => Promise<number>,
): Promise<number[]> {
  const random = steadyRandom();
  const taken: number[] = [];
  for (let i = 0; i < WARM_UP + REQUESTS; i++) {
    await live.pause(random);
    const ms = await measure(i);
    if (i >= WARM_UP) taken.push(ms);
    if (i % 30 === 0) say(`${i} of ${REQUESTS} requests`);
  }
  return taken;
}

/** Milliseconds until a request is answered with 202. */
async function post(
  live: Live,
  path: string,
  headers: Record<string, string>,
  body: object,
): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(`${live.sidecar.base}${path}`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 202) throw new Error(`${path}: ${answer.status} ${text}`);
  return performance.now() - begun;
}

async function newSession(live: Live): Promise<string> {
  const answer = await fetch(`${live.sidecar.base}/initialize`);
  await answer.text();
  return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
}
