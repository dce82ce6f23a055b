import type { Bench } from "../bench.ts";
import { Live, WARM_UP } from "../live.ts";
import { ADMIN_KEY } from "../sidecar.ts";
import { delays } from "./delays.ts";

const REQUESTS = 60;
const LIMITS = { p95: 4 };
/** A request comes at any moment of a tick, and waits for its end: half a tick in the middle. The rest is the way. */
const LINK_LIMITS = { median: 0.6, p95: 4 };

export const whitelistDelay: Bench = {
  name: "whitelist",
  about: "POST /whitelist, until it is answered",
  async run(say) {
    const live = await Live.start(1);
    const headers = { "X-Service-Api-Key": ADMIN_KEY };
    const taken = await live.repeat(REQUESTS, { say, what: "requests" }, i =>
      post(live, "/whitelist", headers, { playerName: `New_${i + WARM_UP}` }),
    );
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
    const taken = await live.repeat(REQUESTS, { say, what: "requests" }, i => {
      const headers = { Cookie: cookies[i + WARM_UP] ?? "" };
      return post(live, "/link-player", headers, { username: live.players[i + WARM_UP]?.name });
    });
    return delays(taken, LINK_LIMITS);
  },
};

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
