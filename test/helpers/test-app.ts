import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach } from "@jest/globals";
import type { Action } from "../../shared/actions.ts";
import type { BanChange } from "../../shared/bans.ts";
import type { Fact, Outcome } from "../../shared/facts.ts";
import type { BansAnswer, Delivery, HelloAnswer } from "../../shared/frames.ts";
import type { BansFrame, Hello } from "../../shared/requests.ts";
import type { Result } from "../../shared/result.ts";
import { compose } from "../../sidecar/compose.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import type { Speaker } from "../../sidecar/features/chat/chat.ts";
import { type WebLine, webLine } from "../../sidecar/features/chat/rules/chat.ts";
import type { NewEntry } from "../../sidecar/features/feed/feed-log.ts";
import type { Audit, AuditEntry } from "../../sidecar/features/moderation/audit.ts";
import { createSignIn } from "../../sidecar/features/sign-in/sign-in.ts";
import type { PackRefusal, PackSession } from "../../sidecar/kernel/bridge/pack-session.ts";
import type { SharedState } from "../../sidecar/kernel/shared.ts";
import type { Stores } from "../../sidecar/stores.ts";
import { ManualClock } from "./clock.ts";
import { ALEX, hello, row, STEVE, said, TOKEN } from "./fake-pack.ts";
import { RecordingLog } from "./log.ts";
import { memoryParts, type OwnStore } from "./memory-store.ts";

export { ALEX, row, STEVE, said };

export const FIGURES = { memoryUsedMB: 512, memoryMaxMB: 4096, cpuUsage: 12.5 };

function granted<T>(result: Result<T, PackRefusal>): T {
  if ("fault" in result) throw new Error(result.fault.error);
  return result.value;
}

/** Sends the messages of a pack one at a time, each controlled by the test. */
export class AppPack {
  readonly #talk: PackSession;
  session = "";
  seq = 1;
  after = 0;
  /** the ban list that it has a copy of, and its version */
  bansOf: { list?: string; after: number } = { after: 0 };

  constructor(talk: PackSession) {
    this.#talk = talk;
  }

  async connect(run = "run", more: Partial<Hello> = {}): Promise<HelloAnswer> {
    const answer = granted(await this.#talk.hello({ ...hello(run), ...more }));
    this.session = answer.session;
    this.after = 0;
    return answer;
  }

  /** Reports facts; actions in the response are left for the next poll. */
  async report(...facts: Fact[]): Promise<Delivery> {
    const { session, after, seq: first } = this;
    const delivery = granted(await this.#talk.facts({ session, after, first, facts }));
    this.seq += facts.length;
    return delivery;
  }

  /** Reports these players as online. */
  snapshot(...names: string[]): Promise<Delivery> {
    return this.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows: names.map(name => row(name)) });
  }

  /** Reports these changes of the ban list, and requests new ones. */
  async bans(...changes: BanChange[]): Promise<BanChange[]> {
    const news: BanChange[] = [];
    for (let [left, isMore] = [changes, true]; isMore; left = []) {
      const answer = granted(await this.#talk.bans({ session: this.session, ...this.bansOf, changes: left }));
      this.bansOf = { list: answer.list, after: answer.upTo };
      news.push(...answer.changes);
      isMore = answer.more;
    }
    return news;
  }

  /** The response to one frame with bans. */
  async bansFrame(frame: Omit<BansFrame, "session">): Promise<BansAnswer> {
    return granted(await this.#talk.bans({ session: this.session, ...frame }));
  }

  /** Waits for actions. */
  async take(): Promise<Action[]> {
    const polled = await this.#talk.poll(this, new AbortController().signal);
    if (!polled) throw new Error("the poll has no response");
    const { actions } = granted(polled);
    this.after = actions.at(-1)?.seq ?? this.after;
    return actions;
  }

  /** Waits for one action and reports its outcome. */
  async carryOut(status: Outcome["status"], more: Partial<Outcome> = {}): Promise<Action> {
    const [action] = await this.take();
    if (!action) throw new Error("no action came");
    await this.report({ is: "outcome", id: action.id, do: action.body.do, status, ...more });
    return action;
  }

  /** Pending actions of the game. */
  async waiting(): Promise<Action["body"][]> {
    return (await this.report()).actions.map(({ body }) => body);
  }
}

export interface TestAppOptions {
  /** configuration in YAML */
  yaml?: string;
  /** players of the first game server at the start; undefined: it is not connected */
  players?: readonly string[];
  /** names or settings of the other game servers; all of them have said hello */
  servers?: readonly (string | { name: string; title?: string })[];
  clock?: ManualClock;
  store?: OwnStore;
  /** replacements for the stores of its features */
  stores?(own: Stores): Partial<Stores>;
  /** replacements for its shared state */
  with?(shared: SharedState): Partial<SharedState>;
  figures?: typeof FIGURES;
  /** a promise that the audit log waits for before it has written a line */
  written?: () => Promise<void>;
}

export type TestApp = Awaited<ReturnType<typeof createTestApp>>;

const open: { stop(): void }[] = [];
afterEach(() => {
  for (const app of open.splice(0)) app.stop();
});

/** The use cases of a sidecar, composed as in production, on in-memory ports and a clock that the test controls. */
export async function createTestApp(options: TestAppOptions = {}) {
  const { clock = new ManualClock(), store, players, servers, figures = FIGURES } = options;
  const entries = servers?.map(each => (typeof each === "string" ? { name: each } : each));
  const yaml = `${options.yaml ?? ""}\n${entries ? `servers: ${JSON.stringify(entries)}` : ""}`;
  const read = readConfig(yaml, { WEB_BRIDGE_BRIDGE_TOKEN: TOKEN }, "/nowhere");
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  const { config } = read;
  const log = new RecordingLog();
  const { shared, stores: usual } = memoryParts(
    clock,
    config.servers.map(({ name }) => name),
    store && { store },
    options.with,
  );
  const stores = { ...usual, ...options.stores?.(usual) };
  const audit: AuditEntry[] = [];
  const written: Audit = {
    async write(entry) {
      await options.written?.();
      audit.push(entry);
    },
  };
  const createProbes = () => ({ probe: { read: async () => figures }, askGame: undefined });
  const service = await compose({
    ...{ config, log, shared, stores, createProbes },
    token: TOKEN,
    ownerLog: log,
    audit: written,
    auditReader: { newest: async limit => audit.slice(-limit).reverse() },
    settingsFor: () => undefined,
    webFiles: [],
    logo: undefined,
  });
  const { servers: gameServers, useCases } = service;
  const talks = gameServers.all.map(server => service.packSession(server, { lastMinute: () => undefined }));
  const [talk] = talks;
  if (!talk) throw new Error("there is no game server");
  const packs = talks.map(each => new AppPack(each));
  const [pack] = packs;
  if (!pack) throw new Error("there is no game server");
  /** the events of the feed, in order */
  const events: NewEntry[] = [];
  useCases.feed.onEvents(entries => events.push(...entries));

  const app = {
    ...useCases,
    ...{
      storage: service.storage,
      gameServers,
      config,
      clock,
      log,
      audit,
      shared,
      stores,
      pack,
      events,
    },
    server: gameServers.first,
    /** of each game server, the first one first */
    packs,
    /** of the second game server, if there are several */
    lobby: packs[1] ?? pack,
    signIn: createSignIn({ ...useCases, time: shared.time, store: stores.signIn, audit: written }),
    /** Another pack, such as that of the next run. */
    anotherPack: () => new AppPack(talk),
    /** Connects a game with these players. */
    async begin(...names: string[]): Promise<void> {
      await pack.connect();
      await pack.snapshot(...names);
    },
    /** Time passes, and the game continues to report. */
    async later(ms: number, ...names: string[]): Promise<void> {
      clock.advance(ms);
      await pack.snapshot(...names);
    },
    /** Resolves when everything has been done that does not wait for the clock. */
    async quiet(): Promise<void> {
      for (let turn = 0; turn < 20; turn++) await nextTurn();
    },
    stop(): void {
      service.stop();
      for (const server of gameServers.all) {
        server.snapshots.stop();
        server.history.stop();
        void server.close();
      }
    },
  };
  open.push(app);
  if (servers) for (const [i, each] of packs.entries()) await each.connect(`run ${i}`);
  if (players) await app.begin(...players);
  return app;
}

/** A browser session whose first characters depend on its number. */
export const sessionOf = (number: number): string =>
  `${number.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;

/** Browsers that send link requests, and the game that handles them; `of`: returns the current app. */
export function browsersOf(of: () => TestApp) {
  let last = 0;
  const session = (): string => sessionOf(++last);
  const ask = (own: string, username = "Steve", address = "192.0.2.1", on = of().gameServers.all) =>
    of().links.linkPlayer(own, username, address, on);

  /** Sends a link request, which reaches the player; returns its id. */
  async function opened(own: string, username = "Steve", address?: string): Promise<string> {
    const pending = ask(own, username, address);
    const { id } = await of().pack.carryOut("done", { player: row(username).player });
    const { answer } = await pending;
    if (answer !== "verification_sent") throw new Error(`the request was answered ${answer}`);
    return id;
  }

  /** Sends a link request, which the player answers. */
  async function answered(accepted: boolean, ...asking: Parameters<typeof opened>): Promise<void> {
    await of().pack.report({ is: "answered", request: await opened(...asking), accepted });
  }

  /** The game handles this many requests. */
  async function deal(count: number, status: Outcome["status"]): Promise<void> {
    let left = count;
    while (left > 0)
      for (const { id, body } of await of().pack.take()) {
        if (body.do !== "link-open") continue;
        left--;
        const player = status === "done" && { player: row(body.username).player };
        await of().pack.report({ is: "outcome", id, status, ...player });
      }
    if (left < 0) throw new Error(`the game was asked ${-left} times too often`);
  }

  const status = async (own: string): Promise<string> => (await of().links.link(own)).status;

  return { session, ask, opened, answered, deal, status };
}

/** The response to a request that a rule rejects. */
export const limited = (by: string, seconds: number) => ({ answer: "limited", by, waitMs: seconds * 1_000 });

/** A web client without a session, in the chat of all game servers. */
export const SOMEBODY: Speaker = { id: "socket", session: undefined, server: undefined };

/** Sends a chat message from the website. */
export function written(text: string): WebLine {
  const line = webLine(text, text.length);
  if (!line) throw new Error("there is nothing to see in it");
  return line;
}
