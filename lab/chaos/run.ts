import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Contract } from "../reference/contract.ts";
import { seededRandom } from "../simulator/random.ts";
import { ENVIRONMENT, VERIFICATION_MS } from "./environment.ts";
import { Journal } from "./journal.ts";
import { Party } from "./party.ts";
import { type Fault, isOfAll, type PlannedFault, plan } from "./plan.ts";
import { type Report, settleUp } from "./report.ts";
import { type Sidecars, startSidecar, startSidecars } from "./sidecars.ts";
import { planWaves, type Wave } from "./waves.ts";

/** How often what the sidecars need is measured, in milliseconds. */
const MEASURE_MS = 1_000;
/** How often progress is told. */
const TELL_MS = 10_000;

interface ChaosOptions {
  seed: number;
  faults: number;
  /** more than one: on one Redis, behind balancers */
  sidecars: number;
  /** game servers behind them; faults of a game, and of the way to it, meet all of several but the last */
  servers: number;
  /** how soon several of them have to work after the faults of a wave, in milliseconds */
  backMs: number;
  /** compiled script of the pack, and built program of the sidecar */
  pack: string;
  sidecar: string;
  say(line: string): void;
  trace(line: string): void;
}

/** Runs the product under faults and says what it did wrong. */
export async function runChaos(options: ChaosOptions): Promise<Report> {
  const chaos = await Chaos.start(options);
  try {
    const { backMs, faults, say, seed, sidecars, servers } = options;
    // The last game server has a time for itself, in which faults meet others only.
    const alone = servers > 1 ? Math.floor(faults / 2) : 0;
    if (sidecars === 1) await chaos.suffer(plan(seed, faults, alone), say);
    else await chaos.sufferWaves(planWaves(seed, faults, sidecars, alone), backMs, say);
    say("all faults done; healing");
    await chaos.heal();
    return await chaos.settleUp();
  } finally {
    await chaos.end();
  }
}

/** Name and token of each game server. */
const serversOf = (count: number): { name: string; token: string }[] =>
  Array.from({ length: count }, (_, i) => ({
    name: i === 0 ? "main" : `server-${i + 1}`,
    token: randomBytes(24).toString("base64url"),
  }));

class Chaos {
  readonly journal: Journal;
  readonly sidecars: Sidecars;
  readonly parties: readonly Party[];
  #measuring: NodeJS.Timeout | undefined;
  /** when the load began, and since when a fault may have met everybody */
  #begunAt = 0;
  #allMetAt: number | undefined;

  private constructor(journal: Journal, sidecars: Sidecars, parties: readonly Party[]) {
    this.journal = journal;
    this.sidecars = sidecars;
    this.parties = parties;
  }

  static async start(options: ChaosOptions): Promise<Chaos> {
    const { pack, seed, sidecar: program, sidecars: count, trace } = options;
    const journal = new Journal(trace);
    const servers = serversOf(options.servers);
    const [first, ...others] = servers;
    const env = {
      ...ENVIRONMENT,
      WEB_BRIDGE_BRIDGE_TOKEN: first?.token ?? "",
      ...(others.length > 0 && { WEB_BRIDGE_SERVERS: JSON.stringify(others) }),
    };
    const deps = { program, env, journal };
    const sidecars = await (count === 1 ? startSidecar(deps) : startSidecars(count, deps));
    const { base, life, redis } = sidecars;
    const contract = new Contract(await json(`${base}/openapi.json`), await json(`${base}/asyncapi.json`));
    const parties = servers.map(({ name, token }, i) => {
      const random = seededRandom(seed ^ (0x5eed + i));
      const server = others.length > 0 ? name : undefined;
      const around = { journal, contract, random, life, isShared: redis !== undefined, server };
      return new Party(around, sidecars, { path: pack, token });
    });
    await Promise.all(parties.map(party => party.start()));
    return new Chaos(journal, sidecars, parties);
  }

  /** Load and faults. */
  async suffer(faults: readonly PlannedFault[], say: (line: string) => void): Promise<void> {
    this.#beginLoad();
    const begun = this.journal.now();
    const doing: Promise<void>[] = [];
    for (const [index, { at, fault }] of faults.entries()) {
      await sleep(begun + at - this.journal.now());
      if (index % 50 === 0) say(`${index} of ${faults.length} faults`);
      doing.push(this.#cause(fault));
    }
    await Promise.all(doing);
    this.#endLoad();
    for (const party of this.parties) party.watch();
  }

  /** Load and waves of faults; after each of them, everything has to work. */
  async sufferWaves(waves: readonly Wave[], backMs: number, say: (line: string) => void): Promise<void> {
    const cookie = await newSession(this.sidecars.base);
    this.#beginLoad();
    const faults = waves.flat().length;
    let toldAt = Number.NEGATIVE_INFINITY;
    let done = 0;
    for (const wave of waves) {
      if (this.journal.now() - toldAt > TELL_MS) {
        toldAt = this.journal.now();
        say(`${done} of ${faults} faults after ${Math.round(toldAt / 1000)} s`);
      }
      const begun = this.journal.now();
      const doing = wave.map(async ({ at, fault }) => {
        await sleep(begun + at - this.journal.now());
        await this.#cause(fault);
      });
      await Promise.all(doing);
      done += wave.length;
      await Promise.all(this.parties.map(party => party.findWayBack(cookie, backMs)));
    }
    this.#endLoad();
  }

  /** Takes every fault back and waits until all is as if there had been none. */
  async heal(): Promise<void> {
    await Promise.all(this.parties.map(party => party.heal()));
  }

  settleUp(): Promise<Report> {
    const { journal, parties, sidecars } = this;
    const untouched = { from: this.#begunAt, until: this.#allMetAt ?? journal.now() };
    return settleUp({ journal, parties, sidecars, untouched }, VERIFICATION_MS);
  }

  async end(): Promise<void> {
    clearInterval(this.#measuring);
    await Promise.all(this.parties.map(party => party.end()));
    await this.sidecars.end();
  }

  /** Has a fault meet everybody, or all game servers but the last by turns. */
  async #cause(fault: Fault): Promise<void> {
    const met = this.parties.slice(0, Math.max(1, this.parties.length - 1));
    const party = met[this.#turn++ % met.length];
    if (isOfAll(fault)) this.#allMetAt ??= this.journal.now();
    await party?.cause(fault);
    if (isOfAll(fault)) for (const each of this.parties) each.mayBeBack(fault);
  }
  #turn = 0;

  #beginLoad(): void {
    this.#begunAt = this.journal.now();
    for (const party of this.parties) party.beginLoad();
    this.#measuring = setInterval(() => {
      for (const service of this.sidecars.services) void service.measure();
    }, MEASURE_MS);
  }

  #endLoad(): void {
    clearInterval(this.#measuring);
    for (const party of this.parties) party.endLoad();
  }
}

/** The cookie of a new session. */
async function newSession(base: string): Promise<string> {
  const { headers } = await fetch(`${base}/initialize`);
  return headers.get("set-cookie")?.split(";")[0] ?? "";
}

async function json<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}
