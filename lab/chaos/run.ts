import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../cli/errno.ts";
import { Contract } from "../reference/contract.ts";
import { seededRandom } from "../simulator/random.ts";
import { Browsers } from "./browsers.ts";
import { ENVIRONMENT, VERIFICATION_MS } from "./environment.ts";
import { cause } from "./faults.ts";
import { ChaosGame } from "./game.ts";
import { Journal, type Surroundings } from "./journal.ts";
import type { SaidLine } from "./ledger/game-lines.ts";
import { type PlannedFault, plan } from "./plan.ts";
import { Reader } from "./readers.ts";
import { Relay } from "./relay.ts";
import { type Report, settleUp } from "./report.ts";
import { type Sidecars, startSidecar, startSidecars } from "./sidecars.ts";
import { Visitor } from "./sockets.ts";
import { planWaves, type Wave } from "./waves.ts";
import { findWayBack } from "./way-back.ts";
import { Wire } from "./wire.ts";

const VISITORS = 5;
const SPEAKERS = 2;
const READERS = 4;
/** Averages in milliseconds: how often something happens of itself. */
const EVERY = {
  ...{ line: 120, webLine: 250, link: 600, name: 1_500, fight: 1_500 },
  ...{ look: 400, measure: 1_000, drop: 400, watch: 20 },
};
/** For a pack that waits before it tries again, and answers that are due after 10 s. */
const HEAL_MS = 60_000;
/** Back-off and the time limit of a request together, with something to spare. */
const BACK_MS = 25_000;
/** How often progress is told. */
const TELL_MS = 10_000;

export interface ChaosOptions {
  seed: number;
  faults: number;
  /** more than one: on one Redis, behind balancers */
  sidecars: number;
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
    const { backMs, faults, say, seed, sidecars } = options;
    if (sidecars === 1) await chaos.suffer(plan(seed, faults), say);
    else await chaos.sufferWaves(planWaves(seed, faults, sidecars), backMs, say);
    say("all faults done; healing");
    await chaos.heal();
    return await chaos.settleUp();
  } finally {
    await chaos.end();
  }
}

class Chaos {
  readonly journal: Journal;
  readonly sidecars: Sidecars;
  readonly relay: Relay;
  readonly wire: Wire;
  readonly game: ChaosGame;
  readonly browsers: Browsers;
  readonly visitors: Visitor[] = [];
  readonly readers: Reader[] = [];
  readonly lines: Omit<SaidLine, "passages">[] = [];
  longestBackMs = 0;
  readonly #random: () => number;
  #timers: NodeJS.Timeout[] = [];
  /** since when it might be back */
  #awayFrom: number | undefined;

  private constructor(around: Surroundings, sidecars: Sidecars, pack: { path: string; token: string }) {
    const { journal, life, random } = around;
    this.journal = journal;
    this.sidecars = sidecars;
    this.#random = random;
    this.wire = new Wire(journal);
    this.relay = new Relay(sidecars.bridge, journal, this.wire, life);
    this.game = new ChaosGame({ pack: pack.path, token: pack.token, journal });
    this.browsers = new Browsers(sidecars.base, around);
    this.game.onForm = player => this.browsers.onForm(player);
    for (let i = 0; i < VISITORS; i++) this.visitors.push(new Visitor(`visitor${i}`, sidecars.base, around));
    for (let i = 0; i < READERS; i++) this.readers.push(new Reader(`reader${i}`, sidecars.base, around));
  }

  static async start({ pack, seed, sidecar: program, sidecars: count, trace }: ChaosOptions): Promise<Chaos> {
    const token = randomBytes(24).toString("base64url");
    const journal = new Journal(trace);
    const deps = { program, env: { ...ENVIRONMENT, WEB_BRIDGE_BRIDGE_TOKEN: token }, journal };
    const sidecars = await (count === 1 ? startSidecar(deps) : startSidecars(count, deps));
    const { base, life, redis } = sidecars;
    const contract = new Contract(await json(`${base}/openapi.json`), await json(`${base}/asyncapi.json`));
    const random = seededRandom(seed ^ 0x5eed);
    const around = { journal, contract, random, life, isShared: redis !== undefined };
    const chaos = new Chaos(around, sidecars, { path: pack, token });
    await chaos.game.start(await chaos.relay.open());
    await chaos.#until(
      "the bridge is up",
      () => chaos.wire.lastAnswerAt > 0 && chaos.visitors.every(({ isOpen }) => isOpen),
    );
    return chaos;
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
    this.#every(EVERY.watch, () => this.#watch());
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
      await this.relay.settled();
      done += wave.length;
      const { ms, missing } = await findWayBack(
        { ...this.#stage, readers: this.readers, lines: this.lines, cookie },
        { dueMs: backMs, patienceMs: Math.max(backMs, BACK_MS) },
      );
      this.#isBack(ms);
      if (missing.length === 0) continue;
      const what = `after ${backMs / 1000} s without a fault did not work: ${missing.join(", ")}`;
      this.journal.violation(what);
    }
    this.#endLoad();
  }

  /** Takes every fault back and waits until all is as if there had been none. */
  async heal(): Promise<void> {
    this.relay.heal();
    if (!this.isShared) {
      this.#awayFrom ??= this.journal.now();
      await this.#until("the bridge works", () => this.#awayFrom === undefined, BACK_MS);
    }
    await this.#until("every socket is open", () => this.visitors.every(({ isOpen }) => isOpen));
    const last = this.#say();
    const heard = (): boolean =>
      this.visitors.every(({ connections }) => connections.at(-1)?.heard.some(({ text }) => text === last));
    await this.#until("every socket hears the last line", heard);
    await this.#until("every reader is told of the last line", () =>
      this.readers.every(reader => reader.hasHeard(last)),
    );
    await this.#until("every request is answered", () => this.browsers.inFlight === 0);
    const stories = [...this.browsers.stories.values()];
    const lastAnswer = Math.max(0, ...stories.map(({ answeredAt }) => answeredAt));
    await sleep(Math.max(2_000, lastAnswer + VERIFICATION_MS + 500 - this.journal.now()));
    await this.browsers.look();
  }

  /** Whether several sidecars are one service. */
  get isShared(): boolean {
    return this.sidecars.redis !== undefined;
  }

  settleUp(): Promise<Report> {
    return settleUp(this, VERIFICATION_MS);
  }

  async end(): Promise<void> {
    this.#endLoad();
    for (const one of [...this.visitors, ...this.readers]) one.end();
    await this.game.end("stop");
    this.relay.close();
    await this.sidecars.end();
  }

  async #cause(fault: PlannedFault["fault"]): Promise<void> {
    try {
      await cause(fault, this.#stage, ms => sleep(ms));
    } catch (error) {
      this.journal.violation(`${fault.is}: ${messageOf(error)}`);
    }
    // With waves of faults, their end is what it is counted from.
    if (this.isShared) return;
    if (fault.is !== "end-sidecar" && fault.is !== "outage" && fault.is !== "end-game") return;
    this.#awayFrom ??= this.journal.now();
  }

  get #stage() {
    const { game, journal, relay, sidecars, visitors } = this;
    return { game, journal, relay, visitors, ...sidecars };
  }

  /** Takes down how long the bridge was not back though nothing big was in its way. */
  #watch(): void {
    if (this.#awayFrom === undefined || this.wire.lastAnswerAt < this.#awayFrom) return;
    const ms = this.wire.lastAnswerAt - this.#awayFrom;
    this.#awayFrom = undefined;
    this.#isBack(ms);
  }

  #isBack(ms: number): void {
    this.journal.trace(`back after ${Math.round(ms)} ms`);
    this.longestBackMs = Math.max(this.longestBackMs, ms);
  }

  #beginLoad(): void {
    const { browsers, game, readers, visitors } = this;
    const speakers = visitors.slice(0, SPEAKERS);
    this.#every(EVERY.line, () => this.#say());
    this.#every(EVERY.webLine, () => this.#one(speakers)?.speak());
    this.#every(EVERY.name, () => void browsers.addName());
    this.#every(EVERY.look, () => void browsers.look());
    this.#every(EVERY.measure, () => {
      game.measure();
      for (const service of this.sidecars.services) void service.measure();
    });
    this.#every(EVERY.drop, () => this.#one(readers)?.drop());
    this.#every(EVERY.watch, () => this.#watch());
    this.#every(EVERY.link, () => {
      const player = this.#one(game.players);
      if (player) void browsers.link(player);
    });
    this.#every(EVERY.fight, () => {
      const [victim, killer] = [this.#one(game.players), this.#one(game.players)];
      if (victim && killer) game.fight(victim, killer);
    });
  }

  #endLoad(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  #one<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#random() * from.length)];
  }

  #every(ms: number, act: () => void): void {
    this.#timers.push(setInterval(act, ms));
  }

  /** A player says the next line; undefined when nobody is there. */
  #say(): string | undefined {
    const { run } = this.game;
    const player = this.#one(this.game.players);
    if (!player || run === undefined) return undefined;
    const text = `line ${this.lines.length + 1}`;
    this.lines.push({ text, at: this.journal.now(), run });
    player.say(text);
    return text;
  }

  async #until(what: string, holds: () => boolean, ms = HEAL_MS): Promise<void> {
    const end = this.journal.now() + ms;
    while (!holds()) {
      if (this.journal.now() > end) return this.journal.violation(`not within ${ms / 1000} s: ${what}`);
      await sleep(20);
    }
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
