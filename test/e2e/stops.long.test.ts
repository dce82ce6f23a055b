import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { codeOf } from "../../cli/errno.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { ownProcess } from "../helpers/sidecar-process.ts";

// Own connections: checks how each connection ends.

const SIGTERMS = 6;
const REQUESTS = 300;
/** Time limit for a hanging stop, which takes four seconds at most on an idle machine. */
const STOP_MS = 20_000;
/** In one of this many runs the game never responds. */
const SILENT = 3;

const own = ownProcess();

const session = (): string => `website_user_uuid=${crypto.randomUUID()}`;
const ASKS = [
  { method: "GET", path: "/status", body: "", answers: ["200"] },
  { method: "GET", path: "/initialize", body: "", answers: ["200"] },
  { method: "GET", path: "/linked-player", body: "", answers: ["200"] },
  {
    method: "POST",
    path: "/link-player",
    body: '{"username":"Alex"}',
    answers: ["422", "500 unexpected_result", "503"],
  },
];

/** The result of a request: its status with the error of a 500, or `refused` if it could not be sent. */
async function askFor({ method, path, body }: (typeof ASKS)[number], agent: Agent): Promise<string> {
  const headers = { Cookie: session(), ...(body ? { "Content-Type": "application/json" } : {}) };
  const pending = request(`${own.urls.public}${path}`, { method, agent, headers });
  pending.end(body);
  try {
    const [answer] = (await once(pending, "response")) as [IncomingMessage];
    let text = "";
    for await (const chunk of answer) text += chunk;
    return answer.statusCode === 500 ? `500 ${JSON.parse(text).error}` : `${answer.statusCode}`;
  } catch (error) {
    return codeOf(error) === "ECONNREFUSED" ? "refused" : `lost: ${codeOf(error)} ${path}`;
  }
}

/** A game that finds no such player, or never responds, until the sidecar has stopped. */
async function play(silent: boolean): Promise<void> {
  const pack = new FakePack(own.urls.bridge);
  await pack.connect();
  await pack.snapshot("Steve");
  const go = async (): Promise<void> => {
    for (;;) {
      const actions = await pack.take();
      if (actions.length === 0) return;
      if (!silent)
        await pack.report(
          ...actions.map(({ id }) => ({ is: "outcome" as const, id, status: "offline" as const })),
        );
    }
  };
  go().catch(() => undefined);
}

describe("a sidecar that is stopped", () => {
  it("responds to each received request, and stops, also if the game never responds", async () => {
    const ledger: { what: (typeof ASKS)[number]; came: string }[] = [];
    for (let run = 0; run < SIGTERMS; run++) {
      await (run === 0 ? own.start() : own.sidecar.start());
      await play(run % SILENT === 0);
      const agent = new Agent({ keepAlive: true, maxSockets: 10 });
      const pending: Promise<unknown>[] = [];
      const ask = async (): Promise<void> => {
        const what = ASKS[pending.length % ASKS.length] ?? ASKS[0];
        if (what) pending.push(askFor(what, agent).then(came => ledger.push({ what, came })));
        await sleep(1);
      };
      for (let i = 0; i < REQUESTS / SIGTERMS / 2; i++) await ask();
      const stopped = own.sidecar.terminate();
      for (let i = 0; i < REQUESTS / SIGTERMS / 2; i++) await ask();
      const { code, ms } = await stopped;
      expect(code).toBe(0);
      expect(ms).toBeLessThan(STOP_MS);
      await Promise.all(pending);
      agent.destroy();
    }
    expect(ledger).toHaveLength(REQUESTS);
    const wrong = ledger.filter(({ what, came }) => came !== "refused" && !what.answers.includes(came));
    expect(wrong.map(({ came }) => came)).toEqual([]);
    expect(ledger.filter(({ came }) => came !== "refused").length).toBeGreaterThan(REQUESTS / 2);
  });
});
