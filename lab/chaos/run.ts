import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../cli/errno.ts";
import { Browsers } from "./browsers.ts";
import { ConsoleLine } from "./console-line.ts";
import { ChaosGame } from "./game.ts";
import { Journal } from "./journal.ts";
import {
  judgeConnection,
  judgeFeed,
  judgeGameLines,
  judgeLinks,
  judgeNames,
  judgeWebLines,
  type Violation,
} from "./ledger.ts";
import { type Fault, planWaves, type Wave } from "./plan.ts";
import { Relay } from "./relay.ts";
import { type Sidecars, startSidecars, VERIFICATION_MS } from "./sidecars.ts";
import { Reader, Visitor } from "./visitors.ts";

const VISITORS = 5;
const SPEAKERS = 2;
const READERS = 4;
/** Intervals of the load, in milliseconds. */
const EVERY = { line: 120, webLine: 250, link: 600, name: 1_500, drop: 400 };
/** Time between two waves, so that most of the load meets no fault. */
const CALM_MS = 1_500;
const TELL_MS = 10_000;
const LOOK_MS = 20;
const ANSWER_MS = 1_000;
/** Longest wait for something that must happen eventually; afterwards it is a violation. */
const RECOVERY_TIMEOUT_MS = 60_000;
/** Interval of checks for a delayed process, and a delay that its own work cannot cause. */
const STEP_MS = 50;
const STALL_MS = 200;

interface ChaosOptions {
  seed: number;
  faults: number;
  /** more than one: they share a Redis, behind balancers */
  sidecars: number;
  /** whether the game has the pack that keeps achievements */
  withConsole: boolean;
  /** time limit for recovery after the faults of a wave, in milliseconds */
  backMs: number;
  say(line: string): void;
}

export interface Report {
  rows: [what: string, figure: string][];
  violations: Violation[];
  /** the faults shortly before a time */
  around(at: number): string[];
}

/** Runs the product under faults and returns the violations. */
export async function runChaos({
  seed,
  faults,
  sidecars: count,
  withConsole,
  backMs,
  say,
}: ChaosOptions): Promise<Report> {
  const journal = new Journal();
  const sidecars = await startSidecars(count, journal);
  const line = withConsole ? new ConsoleLine(seed) : undefined;
  const chaos = await Chaos.start(sidecars, journal, line);
  try {
    await chaos.suffer(planWaves(seed, faults, count, withConsole), backMs, say);
    return await chaos.settle(backMs);
  } finally {
    await chaos.end();
  }
}

class Chaos {
  readonly #sidecars: Sidecars;
  readonly #journal: Journal;
  readonly #relay: Relay;
  readonly #line: ConsoleLine | undefined;
  readonly #game: ChaosGame;
  readonly #browsers: Browsers;
  readonly #visitors: Visitor[];
  readonly #readers: Reader[];
  #timers: NodeJS.Timeout[] = [];
  /** when a sidecar with file storage was killed */
  readonly #kills: number[] = [];
  #longestBackMs = 0;

  private constructor(sidecars: Sidecars, journal: Journal, relay: Relay, url: string, line?: ConsoleLine) {
    this.#sidecars = sidecars;
    this.#journal = journal;
    this.#relay = relay;
    this.#line = line;
    this.#game = new ChaosGame(url, journal, line);
    this.#browsers = new Browsers(sidecars.base, journal);
    this.#game.onForm = player => this.#browsers.onForm(player);
    const several = <T>(count: number, make: (i: number) => T): T[] =>
      Array.from({ length: count }, (_, i) => make(i));
    this.#visitors = several(VISITORS, i => new Visitor(`visitor${i}`, sidecars.base, journal));
    this.#readers = several(READERS, i => new Reader(`reader${i}`, sidecars.base, journal));
  }

  static async start(sidecars: Sidecars, journal: Journal, line?: ConsoleLine): Promise<Chaos> {
    const relay = new Relay(sidecars.bridge, journal);
    const chaos = new Chaos(sidecars, journal, relay, await relay.open(), line);
    await chaos.#game.start();
    await chaos.#findWayBack(RECOVERY_TIMEOUT_MS);
    return chaos;
  }

  /** Load and waves of faults; after each wave, everything must recover. */
  async suffer(waves: readonly Wave[], backMs: number, say: (line: string) => void): Promise<void> {
    this.#beginLoad();
    let spokeAt = Number.NEGATIVE_INFINITY;
    for (const [i, wave] of waves.entries()) {
      if (this.#journal.now() - spokeAt > TELL_MS) {
        spokeAt = this.#journal.now();
        say(`${i} of ${waves.length} waves after ${Math.round(spokeAt / 1000)} s`);
      }
      const causing = wave.map(async ({ at, fault }) => {
        await sleep(at);
        await this.#cause(fault).catch(error => this.#journal.violation(`${fault.is}: ${messageOf(error)}`));
      });
      await Promise.all(causing);
      await this.#relay.settled();
      await this.#line?.settled();
      const ms = await this.#findWayBack(backMs);
      this.#longestBackMs = Math.max(this.#longestBackMs, ms);
      await sleep(CALM_MS);
    }
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  /** Waits until everything has settled, and checks all records against the rules. */
  async settle(backMs: number): Promise<Report> {
    await this.#findWayBack(backMs);
    const hasAllLines = ({ lastLine }: Reader): boolean => lastLine === this.#game.lastLine;
    await this.#until(() => this.#browsers.inFlight === 0 && this.#readers.every(hasAllLines));
    await sleep(VERIFICATION_MS + VERIFICATION_MS / 4 + 500);
    await this.#browsers.settle();
    const journal = this.#journal;
    const { lines, runs, displayed, tries, listed } = this.#game;
    const connections = this.#visitors.flatMap(visitor => visitor.connections);
    const feed = (this.#readers[0]?.texts ?? []).filter(text => text.startsWith("line "));
    const texts = lines.map(({ text }) => text);
    const links = [...this.#browsers.links.values()];
    const violations = [
      ...journal.violations,
      ...judgeFeed(this.#readers),
      ...judgeGameLines(lines, runs, feed, this.#kills),
      ...connections.flatMap(one =>
        judgeConnection(
          { ...one, received: one.received.filter(({ text }) => text.startsWith("line ")) },
          texts,
          feed,
        ),
      ),
      ...connections.flatMap(one => judgeWebLines(one, displayed)),
      ...judgeLinks(links),
      ...judgeNames(this.#browsers.names, tries, listed),
    ].sort((a, b) => a.at - b.at);
    const of = (final: string): number => links.filter(link => link.final === final).length;
    return {
      violations,
      around: at => journal.around(at),
      rows: [
        ["faults", `${journal.faults.length} in ${Math.round(journal.now() / 1000)} s`],
        ...(this.#line ? [["lines with a fault", `${this.#line.spoilt}`] satisfies [string, string]] : []),
        ["game", `${runs.length} runs, ${lines.length} lines, ${feed.length} of them in the feed`],
        [
          "web messages",
          `${connections.reduce((sum, { said }) => sum + said.length, 0)}, ${displayed.length} shown`,
        ],
        ["connections", `${connections.length} of ${VISITORS} visitors`],
        [
          "links",
          `${links.length}: ${of("accepted")} accepted, ${of("declined")} declined, ${of("not_linked")} not linked`,
        ],
        ["names", `${this.#browsers.names.length}, ${listed.length} listed`],
        ["longest recovery", `${(this.#longestBackMs / 1000).toFixed(1)} s`],
        ["violations", `${violations.length}`],
      ],
    };
  }

  async end(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    for (const one of [...this.#visitors, ...this.#readers]) one.end();
    await this.#game.end("stop");
    this.#relay.close();
    await this.#sidecars.end();
  }

  #beginLoad(): void {
    const every = (ms: number, act: (turn: number) => unknown): void => {
      let turn = 0;
      this.#timers.push(setInterval(() => act(turn++), ms));
    };
    every(EVERY.line, () => this.#game.say());
    every(EVERY.webLine, turn => this.#visitors[turn % SPEAKERS]?.speak());
    every(EVERY.name, () => this.#browsers.addName());
    every(EVERY.drop, turn => this.#readers[turn % READERS]?.drop());
    every(EVERY.link, turn => {
      const player = this.#game.players[turn % (this.#game.players.length || 1)];
      if (player) void this.#browsers.link(player);
    });
  }

  /** Starts a fault, and ends it after its duration; resolves then. */
  async #cause(fault: Fault): Promise<void> {
    const { processes, redis } = this.#sidecars;
    const who = "who" in fault ? fault.who : 0;
    const process = processes[Math.floor(who * processes.length)];
    this.#journal.fault(JSON.stringify(fault));
    const forSomeTime = async (begin: () => unknown, end: () => unknown): Promise<void> => {
      await begin();
      if ("ms" in fault) await sleep(fault.ms);
      await end();
    };
    switch (fault.is) {
      case "net":
        return this.#relay.spoil(fault.fault, fault.requests);
      case "line":
        return this.#line?.spoil(fault.fault, fault.lines);
      case "reload":
        return this.#game.reload();
      case "outage":
        return forSomeTime(
          () => this.#relay.outage(true),
          () => this.#relay.outage(false),
        );
      case "end-sidecar":
        if (fault.signal === "SIGKILL" && !redis) this.#kills.push(this.#journal.now());
        return forSomeTime(
          () => (fault.signal === "SIGKILL" ? process?.kill() : process?.terminate()),
          () => process?.start(),
        );
      case "freeze-sidecar":
        return forSomeTime(
          () => process?.signal("SIGSTOP"),
          () => process?.signal("SIGCONT"),
        );
      case "end-redis":
        return forSomeTime(
          () => (fault.how === "kill" ? redis?.kill() : redis?.shutDown()),
          () => redis?.restart(),
        );
      case "end-game":
        return forSomeTime(
          () => this.#game.end(fault.how),
          () => this.#game.start(),
        );
      case "drop-socket":
        return this.#visitors[Math.floor(who * VISITORS)]?.drop();
    }
  }

  /**
   * Waits until everything works at every sidecar: the status, a message of the game at every socket and every subscriber, and one
   * of the website in the game. More than `dueMs` is a violation. @returns the duration, in milliseconds
   */
  async #findWayBack(dueMs: number): Promise<number> {
    const begun = this.#journal.now();
    const before = this.#game.attempts;
    const stalls = watchStalls(this.#journal);
    const passed = (): number => this.#journal.now() - begun - stalls.ms();
    const speaking = setInterval(() => {
      this.#game.say();
      this.#visitors[0]?.speak();
    }, EVERY.webLine);
    const checks: [what: string, holds: () => boolean | Promise<boolean>][] = [
      ["a message of the website in the game", () => (this.#game.displayed.at(-1)?.at ?? 0) > begun],
    ];
    for (const { urls } of this.#sidecars.processes)
      checks.push([`${urls.public}/status`, () => isAnswered(`${urls.public}/status`)]);
    for (const one of [...this.#visitors, ...this.#readers])
      checks.push([`a line of the game at ${one.name}`, () => one.lastLine > before]);
    await Promise.all(
      checks.map(async ([what, holds]) => {
        while (!(await holds()) && passed() < RECOVERY_TIMEOUT_MS) await sleep(LOOK_MS);
        const ms = passed();
        if (ms > dueMs)
          this.#journal.violation(`${what}: did not work after ${dueMs / 1000} s without a fault`);
      }),
    );
    clearInterval(speaking);
    stalls.end();
    return passed();
  }

  /** Waits until the condition is true, at most a minute. */
  async #until(holds: () => boolean): Promise<void> {
    for (const end = this.#journal.now() + RECOVERY_TIMEOUT_MS; !holds() && this.#journal.now() < end; )
      await sleep(LOOK_MS);
  }
}

/** Adds up the time in which the machine did not run this process, and so perhaps no other. */
function watchStalls(journal: Journal): { ms(): number; end(): void } {
  let [sum, last] = [0, journal.now()];
  const timer = setInterval(() => {
    const late = journal.now() - last - STEP_MS;
    last = journal.now();
    if (late > STALL_MS) sum += late;
  }, STEP_MS);
  return { ms: () => sum, end: () => clearInterval(timer) };
}

const isAnswered = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ status }) => status === 200,
    () => false,
  );
