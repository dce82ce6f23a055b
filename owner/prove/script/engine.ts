import { mc } from "../../../behavior_pack/game/modules.ts";
import { type Answerer, numberOf, textOf } from "./asked.ts";
import { clock, early, modeNow, note, notedSince, pace, unheard } from "./before.ts";
import { failureOf, tried } from "./failure.ts";

const { system, world } = mc;

const waitTicks = (ticks: number): Promise<void> =>
  new Promise(resolve => {
    system.runTimeout(() => resolve(), ticks);
  });

/** How deep a function may call itself. */
function depth(): number {
  let calls = 0;
  const deeper = (): void => {
    calls++;
    deeper();
  };
  tried(deeper);
  return calls;
}

/** Begun at the same moment of a tick: what comes first, and in which tick. */
function order(): Promise<string[]> {
  return new Promise(resolve => {
    system.runTimeout(() => {
      const begun = system.currentTick;
      const came: string[] = [];
      const come = (what: string): void => {
        came.push(`${what}+${system.currentTick - begun}`);
        if (came.length === 4) resolve(came);
      };
      system.runTimeout(() => come("timeout"), 1);
      system.run(() => come("run"));
      void Promise.resolve().then(() => come("promise"));
      come("self");
    }, 1);
  });
}

function* slices(count: number, done: (at: number[]) => void): Generator<void, void, void> {
  const at: number[] = [];
  for (let i = 0; i < count; i++) {
    at.push(system.currentTick);
    yield;
  }
  done(at);
}

/** Integers, and whether they go on within a tick. */
async function clocks(): Promise<unknown> {
  const [begin, fine] = [Date.now(), clock()];
  let same = true;
  let turns = 0;
  while (same && turns < 2_000_000) {
    turns++;
    same = Date.now() === begin;
  }
  const within = !same;
  const spent = clock() - fine;
  const [wall, tick] = [Date.now(), system.currentTick];
  await waitTicks(20);
  return {
    isWhole: Number.isInteger(begin),
    within,
    hasFine: typeof __date_clock === "function",
    spentMs: spent,
    wall,
    msOf20Ticks: Date.now() - wall,
    ticks: system.currentTick - tick,
  };
}

/** What is said of errors that nobody catches is on the console, with this word in it. */
async function errors(word: string): Promise<unknown> {
  system.run(() => {
    throw new Error(`${word} in a timer`);
  });
  void Promise.reject(new Error(`${word} of a promise`));
  system.run(async () => {
    await Promise.resolve();
    throw new Error(`${word} of a callback`);
  });
  await waitTicks(4);
  return { tick: system.currentTick };
}

export const engineAnswers: Readonly<Record<string, Answerer>> = {
  noted: input => notedSince(numberOf(input, "since", 0)),
  load: () => ({ early, unheard, tick: system.currentTick }),
  pace: input => {
    const told = { ...pace };
    if (input.anew === true)
      Object.assign(pace, {
        ticks: 0,
        packMs: 0,
        mostMs: 0,
        firstAt: 0,
        lastAt: 0,
        firstTick: 0,
        lastTick: 0,
      });
    return told;
  },
  types: input => {
    const names = Array.isArray(input.names) ? input.names.map(String) : [];
    return Object.fromEntries(names.map(name => [name, typeof Reflect.get(globalThis, name)]));
  },
  globals: () => Object.getOwnPropertyNames(globalThis).sort(),
  language: () => ({
    number: (1234567.5).toLocaleString(),
    private: tried(() =>
      new (class {
        #held = 1;
        read = (): number => this.#held;
      })().read(),
    ),
    regexp: tried(() => "§a<Steve>".replace(/(?<code>§.)|\p{L}/gu, "_")),
    at: typeof Reflect.get([], "at"),
    eval: tried(() => Reflect.apply(Reflect.get(globalThis, "eval"), undefined, ["1 + 1"])),
    function: tried(() => typeof Reflect.construct(Object.getPrototypeOf(depth).constructor, ["return 1"])),
    stackOf: (new Error("asked").stack ?? "").split("\n").length,
  }),
  depth: () => depth(),
  clocks,
  order: () => order(),
  job: input =>
    new Promise(resolve => {
      system.runJob(slices(numberOf(input, "count", 50), at => resolve(at.map(tick => tick - (at[0] ?? 0)))));
    }),
  errors: input => errors(textOf(input, "word")),
  mode: async () => {
    const now = modeNow();
    await Promise.resolve();
    return { now, afterAwait: modeNow() };
  },
  "wait-ticks": async input => {
    const begun = system.currentTick;
    const failed = await waitTicks(numberOf(input, "ticks", 20)).catch(failureOf);
    return { ticks: system.currentTick - begun, failed };
  },
  note: input => {
    note("asked", { word: textOf(input, "word") });
    return true;
  },
  "say-long": input => {
    console.warn(`prove-long ${"a".repeat(numberOf(input, "length", 100))} end`);
    return true;
  },
  message: input => tried(() => world.sendMessage(input.message as never)),
};
