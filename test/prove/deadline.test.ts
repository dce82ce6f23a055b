import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Probe, Trial } from "../../owner/prove/probe.ts";
import { probes } from "../../owner/prove/probes/all.ts";

// Own connections: a service that refuses everything stands for ours.

const MOST_MS = 120_000;
const STEP_MS = 1_500;
/** Answers every call, and never with what was hoped for. */
const service = createServer((_, response) => response.writeHead(503).end("{}"));
const address = (): string => `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
beforeAll(() => new Promise<void>(resolve => service.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise<void>(resolve => service.close(() => resolve())));

interface Silent {
  /** what the script answers to everything; undefined: nothing comes */
  answer: unknown;
  properties: string;
}

/** A trial in which nothing happens but that time goes by, as fast as it is waited for. */
function silentTrial({ answer, properties }: Silent): Trial {
  let now = 0;
  return {
    platform: "linux",
    console: {
      lines: [],
      type: () => undefined,
      line: async (_, ms) => {
        // In large steps: a probe that looks again and again does so less often.
        now += Math.max(ms, STEP_MS);
        return undefined;
      },
    },
    script: {
      ask: async (name, _, ms = 30_000) => {
        if (name === "player-offered") return true;
        if (answer !== undefined) return answer;
        now += ms;
        throw new Error(`no answer to ${name}`);
      },
    },
    host: { url: address(), arrived: [] },
    web: { url: address(), key: "key" },
    now: () => now,
    read: path => (path === "server.properties" ? properties : undefined),
    restart: async () => {
      now += 30_000;
    },
    atEnd: () => undefined,
  };
}

/** How long a probe took in the time of a trial, and whether it saw what it hoped for. */
async function asked(probe: Probe, trial: Trial): Promise<{ ms: number; state: string }> {
  const state = await probe.ask(trial).then(
    seen => seen.state,
    () => "thrown",
  );
  return { ms: trial.now(), state };
}

describe("a probe to which nothing answers", () => {
  const port = (): string => `server-port=${(service.address() as AddressInfo).port}`;
  const inTime = probes.filter(({ run }) => run !== "long").map(probe => [probe.id, probe] as const);

  it.each(inTime)("ends within two minutes: %s", async (_, probe) => {
    for (const answer of [undefined, {}]) {
      const { ms } = await asked(probe, silentTrial({ answer, properties: port() }));
      expect(ms).toBeLessThanOrEqual(MOST_MS);
    }
  });
});
