import { randomUUID } from "node:crypto";
import { type Exchange, send } from "./client.ts";
import { RUN } from "./companion.ts";
import { createDice } from "./dice.ts";
import { bridgeInput } from "./doors/bridge.ts";
import { chatInput } from "./doors/chat.ts";
import { publicInput } from "./doors/public.ts";
import type { Input, Target } from "./input.ts";
import { ADMIN_KEY, type Service, startService, TOKEN } from "./service.ts";
import { type Verdict, verdictOn } from "./verdict.ts";

/** Inputs under way at once, and how often the sidecar is asked for its health. */
const AT_ONCE = 64;
const HEALTH_EVERY = 500;
const HEALTHY_MS = 2_000;
const MAX_FAULTS = 20;

interface Fault {
  /** of the input; undefined for one of the sidecar as a whole */
  number: number | undefined;
  what: string;
}

export interface Outcome {
  /** how many inputs of a door and kind had which outcome */
  counts: Map<string, Map<string, number>>;
  faults: Fault[];
  inputs: number;
}

/** The input of a number; the same for the same seed, but for cookies and sessions that the sidecar has given. */
export function makeInput(seed: number, number: number, target: Target): Input {
  const dice = createDice(seed, number);
  return dice.pick([publicInput, bridgeInput, chatInput])(dice, target);
}

interface RunOptions {
  /** the built sidecar */
  program: string;
  seed: number;
  /** number of the first input, and how many there are */
  from: number;
  inputs: number;
  onProgress?(done: number): void;
  onExchange?(input: Input, exchange: Exchange, verdict: Verdict): void;
}

/**
 * Sends inputs to sidecars of its own and judges what comes back. Whoever has the token may take over the game's side, so
 * the bridge listener that is shot at is that of a sidecar apart. Ends early when one has ended, or after 20 faults.
 */
export async function runFuzz(options: RunOptions): Promise<Outcome> {
  const front = await startService(options.program);
  const back = await startService(options.program);
  try {
    return await shoot(front, back, options);
  } finally {
    await Promise.all([front.stop(), back.stop()]);
  }
}

async function shoot(front: Service, back: Service, options: RunOptions): Promise<Outcome> {
  const { seed, from, inputs, onProgress, onExchange } = options;
  const outcome: Outcome = { counts: new Map(), faults: [], inputs: 0 };
  const { faults } = outcome;
  const target: Target = {
    cookie: `website_user_uuid=${randomUUID()}`,
    adminKey: ADMIN_KEY,
    token: TOKEN,
    run: RUN,
    session: back.session,
  };
  const services = [front, back];
  let begun = 0;
  const heard = new Map<Service, number>();

  /** Those under way at once are to blame together. */
  function listen(number: number): void {
    for (const service of services) {
      const news = service.complaints.slice(heard.get(service));
      heard.set(service, service.complaints.length);
      faults.push(...news.map(said => ({ number, what: `about here the sidecar said: ${said}` })));
    }
  }

  async function one(number: number): Promise<void> {
    const input = makeInput(seed, number, target);
    const port = input.door === "bridge" ? back.bridgePort : front.publicPort;
    const exchange = await send(input, port);
    const verdict = verdictOn(input, exchange.received, [ADMIN_KEY, TOKEN]);
    if (exchange.isLate) verdict.faults.push("the connection was not over in time");
    faults.push(...verdict.faults.map(what => ({ number, what })));
    listen(number);
    const kind = `${input.door}, ${input.kind}`;
    const counts = outcome.counts.get(kind) ?? new Map<string, number>();
    outcome.counts.set(kind, counts.set(verdict.outcome, (counts.get(verdict.outcome) ?? 0) + 1));
    onExchange?.(input, exchange, verdict);
    outcome.inputs++;
    if (outcome.inputs % HEALTH_EVERY !== 0) return;
    onProgress?.(outcome.inputs);
    for (const service of services) {
      const ill = await illness(service.publicPort);
      if (ill !== undefined) faults.push({ number, what: ill });
    }
  }

  const goesOn = (): boolean =>
    begun < inputs && faults.length < MAX_FAULTS && services.every(service => service.exit() === undefined);
  const client = async (): Promise<void> => {
    while (goesOn()) await one(from + begun++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  for (const service of services) {
    const end = service.exit();
    if (end !== undefined) faults.push({ number: undefined, what: end });
  }
  return outcome;
}

/** What is wrong with the answer of `/healthz`; undefined when nothing is. */
async function illness(port: number): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(HEALTHY_MS);
    const { status } = await fetch(`http://127.0.0.1:${port}/healthz`, { signal });
    return status === 200 ? undefined : `/healthz answers ${status}`;
  } catch {
    return `/healthz did not answer within ${HEALTHY_MS} ms`;
  }
}
