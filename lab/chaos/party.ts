import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../cli/errno.ts";
import { Browsers } from "./browsers.ts";
import { VERIFICATION_MS } from "./environment.ts";
import { cause } from "./faults.ts";
import { ChaosGame } from "./game.ts";
import type { Surroundings } from "./journal.ts";
import type { SaidLine } from "./ledger/game-lines.ts";
import { Moderator } from "./moderator.ts";
import { type Fault, isOfAll } from "./plan.ts";
import { Reader } from "./readers.ts";
import { Relay } from "./relay.ts";
import type { Sidecars } from "./sidecars.ts";
import { Visitor } from "./sockets.ts";
import { findWayBack } from "./way-back.ts";
import { Wire } from "./wire.ts";

const VISITORS = 5;
const SPEAKERS = 2;
const READERS = 4;
/** Averages in milliseconds: how often something happens of itself. */
const EVERY = {
  ...{ line: 120, webLine: 250, link: 600, name: 1_500, fight: 1_500 },
  moderate: 700,
  ...{ look: 400, measure: 1_000, drop: 400, watch: 20 },
};
/** For a pack that waits before it tries again, and answers that are due after 10 s. */
const HEAL_MS = 60_000;
/** Back-off and the time limit of a request together, with something to spare. */
const BACK_MS = 25_000;

/** A game server of a run: its game, the way from there to the sidecars, and everybody who is there for it on the web. */
export class Party {
  readonly around: Surroundings;
  readonly sidecars: Sidecars;
  readonly relay: Relay;
  readonly wire: Wire;
  readonly game: ChaosGame;
  readonly browsers: Browsers;
  readonly moderator: Moderator;
  readonly visitors: Visitor[] = [];
  readonly readers: Reader[] = [];
  readonly lines: Omit<SaidLine, "passages">[] = [];
  longestBackMs = 0;
  #timers: NodeJS.Timeout[] = [];
  /** since when it might be back */
  #awayFrom: number | undefined;

  constructor(around: Surroundings, sidecars: Sidecars, pack: { path: string; token: string }) {
    const { journal, life, server } = around;
    this.around = around;
    this.sidecars = sidecars;
    this.wire = new Wire(journal);
    this.relay = new Relay(sidecars.bridge, journal, this.wire, life);
    this.game = new ChaosGame({ pack: pack.path, token: pack.token, journal, server });
    this.browsers = new Browsers(sidecars.base, around);
    this.moderator = new Moderator(sidecars.base, around, this.game);
    this.game.onForm = player => this.browsers.onForm(player);
    for (let i = 0; i < VISITORS; i++) this.visitors.push(new Visitor(`visitor${i}`, sidecars.base, around));
    for (let i = 0; i < READERS; i++) this.readers.push(new Reader(`reader${i}`, sidecars.base, around));
  }

  async start(): Promise<void> {
    await this.game.start(await this.relay.open());
    await this.#until(
      "the bridge is up",
      () => this.wire.lastAnswerAt > 0 && this.visitors.every(({ isOpen }) => isOpen),
    );
    if (this.around.server === undefined) return;
    const looking = setInterval(() => void this.browsers.look(), EVERY.look);
    await this.#until("the players are known", () => this.browsers.samples.length > 0);
    clearInterval(looking);
  }

  /** Waits until everything works; notes what does not in time. */
  async findWayBack(cookie: string, backMs: number): Promise<void> {
    await this.relay.settled();
    const { game, lines, readers, visitors } = this;
    const { journal, server } = this.around;
    const { services } = this.sidecars;
    const { ms, missing } = await findWayBack(
      { ...{ journal, server, game, lines, readers, visitors, services, cookie } },
      { dueMs: backMs, patienceMs: Math.max(backMs, BACK_MS) },
    );
    this.#isBack(ms);
    if (missing.length === 0) return;
    const what = `after ${backMs / 1000} s without a fault did not work: ${missing.join(", ")}`;
    journal.violation(what);
  }

  /** Takes every fault back and waits until all is as if there had been none. */
  async heal(): Promise<void> {
    const { journal, isShared } = this.around;
    this.relay.heal();
    if (!isShared) {
      this.#awayFrom ??= journal.now();
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
    await this.moderator.settle();
    await this.#until("every request is answered", () => this.browsers.inFlight === 0);
    const stories = [...this.browsers.stories.values()];
    const lastAnswer = Math.max(0, ...stories.map(({ answeredAt }) => answeredAt));
    await sleep(Math.max(2_000, lastAnswer + VERIFICATION_MS + 500 - journal.now()));
    await this.browsers.look();
  }

  async end(): Promise<void> {
    this.endLoad();
    for (const one of [...this.visitors, ...this.readers]) one.end();
    await this.game.end("stop");
    this.relay.close();
  }

  async cause(fault: Fault): Promise<void> {
    const { game, relay, visitors } = this;
    const { journal } = this.around;
    try {
      await cause(fault, { game, journal, relay, visitors, ...this.sidecars }, ms => sleep(ms));
    } catch (error) {
      journal.violation(`${fault.is}: ${messageOf(error)}`);
    }
    if (!isOfAll(fault)) this.mayBeBack(fault);
  }

  /** A fault that it may have met is over. */
  mayBeBack({ is }: Fault): void {
    // With waves of faults, their end is what it is counted from.
    if (this.around.isShared) return;
    if (is === "end-sidecar" || is === "outage" || is === "end-game")
      this.#awayFrom ??= this.around.journal.now();
  }

  beginLoad(): void {
    const { browsers, game, moderator, readers, visitors } = this;
    const speakers = visitors.slice(0, SPEAKERS);
    this.#every(EVERY.line, () => this.#say());
    this.#every(EVERY.webLine, () => this.#one(speakers)?.speak());
    this.#every(EVERY.name, () => void browsers.addName());
    this.#every(EVERY.look, () => void browsers.look());
    this.#every(EVERY.moderate, () => moderator.act());
    this.#every(EVERY.measure, () => game.measure());
    this.#every(EVERY.drop, () => this.#one(readers)?.drop());
    this.watch();
    this.#every(EVERY.link, () => {
      const player = this.#one(game.players);
      if (player) void browsers.link(player);
    });
    this.#every(EVERY.fight, () => {
      const [victim, killer] = [this.#one(game.players), this.#one(game.players)];
      if (victim && killer) game.fight(victim, killer);
    });
  }

  endLoad(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  /** Goes on taking down how long the bridge was not back though nothing big was in its way. */
  watch(): void {
    this.#every(EVERY.watch, () => {
      if (this.#awayFrom === undefined || this.wire.lastAnswerAt < this.#awayFrom) return;
      const ms = this.wire.lastAnswerAt - this.#awayFrom;
      this.#awayFrom = undefined;
      this.#isBack(ms);
    });
  }

  #isBack(ms: number): void {
    this.around.journal.trace(`back after ${Math.round(ms)} ms`);
    this.longestBackMs = Math.max(this.longestBackMs, ms);
  }

  #one<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.around.random() * from.length)];
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
    this.lines.push({ text, at: this.around.journal.now(), run });
    player.say(text);
    return text;
  }

  async #until(what: string, holds: () => boolean, ms = HEAL_MS): Promise<void> {
    const { journal } = this.around;
    const end = journal.now() + ms;
    while (!holds()) {
      if (journal.now() > end) return journal.violation(`not within ${ms / 1000} s: ${what}`);
      await sleep(20);
    }
  }
}
