import { ManualClock } from "../../../../test/helpers/clock.ts";
import { eventually } from "../../../../test/helpers/eventually.ts";
import { type FirstLog, memoryFeedLog } from "../../../../test/helpers/feed-log.ts";
import { RecordingLog } from "../../../../test/helpers/log.ts";
import type { Config } from "../../../config/settings.ts";
import { createMemoryRecords } from "../../../kernel/storage/memory-records.ts";
import type { RecordsWithStreams } from "../../../kernel/storage/records.ts";
import { throttledLog } from "../../../platform/throttled-log.ts";
import type { NewEntry } from "../../feed/feed-log.ts";
import { createHookStore, type HookStore } from "../records.ts";
import { startWebhooks } from "../webhooks.ts";

type Webhook = Config["webhooks"][number];

export const SECRET = `whsec_${Buffer.alloc(24, "key").toString("base64")}`;

const USUAL: Omit<Webhook, "url"> = {
  events: ["chat", "join", "leave", "death", "server"],
  format: "standard",
  secret: SECRET,
  allowPrivate: true,
};

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

export const chat = (content: string, at = 1) => ({ event: "chat", at, from: "web", content }) as const;

/** Webhooks for a feed in memory, with a manual clock. */
export class Hooks {
  // The verifier of the specification uses the machine's time.
  readonly clock = new ManualClock(Math.floor(Date.now() / 1000) * 1000);
  readonly log = new RecordingLog();
  readonly records: RecordsWithStreams;
  readonly feed: FirstLog;
  readonly store: HookStore;
  readonly outcomes: string[] = [];
  readonly #figures = new Map<string, () => Promise<{ labels: object; value: number }[]>>();
  #stop = async (): Promise<void> => undefined;
  states: Awaited<ReturnType<typeof startWebhooks>>["states"] = () => [];

  constructor(entries?: number, forMs?: number) {
    this.records = createMemoryRecords(this.clock.monotonic);
    this.feed = memoryFeedLog(this.clock, entries, forMs, this.records);
    this.store = createHookStore(this.records);
  }

  async start(...list: (Pick<Webhook, "url"> & Partial<Webhook>)[]): Promise<void> {
    const { clock, feed, log, store } = this;
    const { stop, states } = await startWebhooks(
      list.map(hook => ({ ...USUAL, ...hook })),
      {
        clock,
        feed,
        store,
        leadership: { hold: begin => begin(undefined) },
        logOf: () => throttledLog(log, clock),
        random: () => 0,
        counted: (_hook, outcome) => this.outcomes.push(outcome),
        gauges: (name, _help, read) => this.#figures.set(name, read),
      },
    );
    this.#stop = stop;
    this.states = states;
  }

  /** `graceMs`: time that passes during the stop */
  async stop(graceMs = 0): Promise<void> {
    const stop = this.#stop;
    this.#stop = async () => undefined;
    const stopped = stop();
    this.clock.advance(graceMs);
    await stopped;
  }

  async append(...entries: NewEntry[]): Promise<void> {
    await this.feed.append(() => ({ entries }));
    await turn();
  }

  say = (...contents: string[]): Promise<void> =>
    this.append(...contents.map(content => ({ event: chat(content, this.clock.now()) })));

  /** Appends a message of the game, which is never dropped before its limit. */
  sayInGame = (...contents: string[]): Promise<void> =>
    this.append(
      ...contents.map(content => ({ event: { ...chat(content, this.clock.now()), from: "game" } as const })),
    );

  /** Waits until this many attempts have failed, and the hook waits to retry. */
  async resting(failed: number): Promise<void> {
    await eventually(() => {
      const times = this.outcomes.filter(outcome => outcome === "failed").length;
      if (times !== failed) throw new Error(`${times} of ${failed} attempts have failed`);
    });
    await turn();
  }

  async advance(ms: number): Promise<void> {
    this.clock.advance(ms);
    await turn();
  }

  /** Labels of a metric of each hook. */
  labels = async (name: string): Promise<object[]> =>
    ((await this.#figures.get(name)?.()) ?? []).map(({ labels }) => labels);

  /** Value of a metric of each hook. */
  figure = async (name: string): Promise<number[]> =>
    ((await this.#figures.get(name)?.()) ?? []).map(({ value }) => value);
}
