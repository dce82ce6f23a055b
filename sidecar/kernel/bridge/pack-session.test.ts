import { beforeEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { hello } from "../../../test/helpers/fake-pack.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import { createMemoryStore } from "../../../test/helpers/memory-store.ts";
import { createConnections } from "../../features/servers/last-connection.ts";
import type { ConnectionStore } from "../../features/servers/records.ts";
import { createMemoryOutbox } from "./memory-outbox.ts";
import { createPackSession, type PackSession } from "./pack-session.ts";
import type { Outbox } from "./ports.ts";

const ONE = { id: "w1", name: "One" };
const TWO = { id: "w2", name: "Two" };
const ANOTHER_WORLD =
  "A different world has connected. If you run two servers, give each its own name: setup --as <name>";

let clock: ManualClock;
let log: RecordingLog;
let outbox: Outbox;
let pack: PackSession;
/** chat messages from the website rejected in the last minute */
let refused: { lines: number; from: string } | undefined;
/** chat texts with the numbers of their facts, in the order in which they were processed */
let dealt: string[];
/** processing time of each, in milliseconds */
let takesMs: number;

/** Starts a sidecar with this store. */
function start(store: ConnectionStore = createMemoryStore()): void {
  log = new RecordingLog();
  outbox = createMemoryOutbox(clock);
  dealt = [];
  pack = createPackSession({
    clock,
    log,
    outbox,
    facts: {
      began: async () => undefined,
      async handle([fact], { first }) {
        clock.advance(takesMs);
        dealt.push(`${first} ${fact?.is === "said" ? fact.text : fact?.is}`);
        return 1;
      },
    },
    features: {
      links: { wanted: async () => [] },
      connections: createConnections({ clock, log, store, lastServerOf: async () => undefined }),
      bans: {
        fresh: async () => undefined,
        answer: async () => ({ list: "none", upTo: 0, changes: [], more: false }),
      },
    },
    refusals: { lastMinute: () => refused },
    refreshMs: 5_000,
    server: undefined,
    greeting: { linkForm: "buttons", texts: TEXTS, languages: [] },
  });
}

const TEXTS = { "api.link-accept": "Accept" };

beforeEach(() => {
  clock = new ManualClock();
  refused = undefined;
  takesMs = 0;
  start();
});

const connect = (run: string, world?: { id: string; name: string }) =>
  pack.hello({ ...hello(run), ...(world && { world }) });
async function sessionOf(run: string, world?: { id: string; name: string }): Promise<string> {
  const answer = await connect(run, world);
  if ("fault" in answer) throw new Error(answer.fault.error);
  return answer.value.session;
}
const poll = (session: string, after = 0, gone = new AbortController().signal) =>
  pack.poll({ session, after }, gone);
const tell = (session: string, first: number, ...texts: string[]) =>
  pack.facts({ session, after: 0, first, facts: texts.map(text => ({ is: "said", name: "S", text })) });
const warnings = () => log.of("warn").map(({ message }) => message);

describe("the hello of a pack", () => {
  it.each([
    ["the future", { wire: 9, wireOldest: 9 }, "sidecar"],
    ["the past", { wire: 0, wireOldest: 0 }, "pack"],
  ])(
    "[VER-2] is rejected if its version is of %s, with the side to update",
    async (_when, versions, update) => {
      const answer = await pack.hello({ ...hello(), ...versions });
      expect(answer).toMatchObject({ fault: { error: "wire_mismatch", more: { update } } });
      expect(log.text).toContain(`update the ${update}`);
    },
  );

  it("[VER-1] is accepted from a newer pack that still understands this version", async () => {
    expect(await pack.hello({ ...hello(), wire: 9, wireOldest: 1 })).toHaveProperty("value.session");
  });

  it("[SESSION-14] is answered without the texts that the pack has", async () => {
    const texts = async (more: object = {}) => {
      const answer = await pack.hello({ ...hello("a"), ...more });
      return "value" in answer ? answer.value : undefined;
    };
    const textsId = (await texts())?.textsId;
    expect(textsId).toBeDefined();
    expect((await texts({ textsId }))?.texts).toEqual({});
    expect((await texts({ textsId: "of another sidecar" }))?.texts).toEqual(TEXTS);
  });

  it("[SESSION-11] causes no warning for the same world, even under another name", async () => {
    await connect("a", ONE);
    await connect("b", { ...ONE, name: "Renamed" });
    await connect("c");
    expect(warnings()).toEqual([]);
    expect(log.text).toContain('"world":"Renamed"');
  });

  it("[SESSION-11] causes a warning when a different world connects, also after a restart of the sidecar", async () => {
    const store = createMemoryStore();
    start(store);
    await connect("a", ONE);
    await connect("b", TWO);
    expect(log.of("warn")).toMatchObject([{ message: ANOTHER_WORLD, fields: { world: TWO, before: ONE } }]);
    start(store);
    await connect("c", TWO);
    expect(warnings()).toEqual([]);
    await connect("d", ONE);
    expect(warnings()).toEqual([ANOTHER_WORLD]);
  });
});

describe("a session of a pack", () => {
  it("[SESSION-12] learns which world replaced it, also during a poll, and the log names the rejected one", async () => {
    const session = await sessionOf("a", ONE);
    const waiting = poll(session);
    await connect("b", TWO);
    const replaced = { fault: { error: "session_replaced", more: { detail: "world: Two" } } };
    expect(await waiting).toEqual(replaced);
    expect(await tell(session, 1)).toEqual(replaced);
    expect(await pack.bans({ session, after: 0, changes: [] })).toEqual(replaced);
    expect(await connect("a", ONE)).toEqual(replaced);
    expect(log.lines.at(-1)).toMatchObject({
      message: expect.stringMatching(/^Two game servers use the same token/),
      fields: { world: ONE, connected: TWO },
    });
  });

  it("[SESSION-12] learns it as a name without control characters", async () => {
    const session = await sessionOf("a", ONE);
    await connect("b", { id: "w2", name: "T\u001b[31mwo\n[INFO] §4Three\u202e" });
    expect(await poll(session)).toMatchObject({ fault: { more: { detail: "world: T[31mwo[INFO] Three" } } });
  });
});

describe("a poll", () => {
  it("[POLL-2] stays open for 20 s without actions", async () => {
    const session = await sessionOf("run");
    await tell(session, 1, "a");
    let isAnswered = false;
    const polled = poll(session).finally(() => {
      isAnswered = true;
    });
    clock.advance(19_999);
    // In order, after everything that could answer the poll.
    await tell(session, 2, "b");
    expect(isAnswered).toBe(false);
    clock.advance(1);
    expect(await polled).toEqual({ value: { actions: [], received: 2 } });
  });

  it("[POLL-3] gets no answer once its connection has closed", async () => {
    const session = await sessionOf("run");
    const gone = new AbortController();
    const polled = poll(session, 0, gone.signal);
    gone.abort();
    expect(await polled).toBeUndefined();
  });
});

describe("facts", () => {
  it("[FACT-4] are answered before the pack's timeout, with the last processed one, and continue from there", async () => {
    const session = await sessionOf("run");
    takesMs = 600;
    const texts = ["a", "b", "c", "d", "e"];
    for (const received of [2, 4, 5])
      expect(await tell(session, 1, ...texts)).toMatchObject({ value: { received } });
    expect(dealt).toEqual(["1 a", "2 b", "3 c", "4 d", "5 e"]);
    takesMs = 60_000;
    expect(await tell(session, 6, "f", "g")).toMatchObject({ value: { received: 6 } });
  });

  it("[FACT-3] [FACT-4] are processed once and in order, however often a frame is repeated", async () => {
    const session = await sessionOf("run");
    const answers = await Promise.all([
      tell(session, 1, "a", "b"),
      tell(session, 1, "a", "b"),
      tell(session, 2, "b", "c"),
      tell(session, 1, "a"),
    ]);
    expect(answers).toMatchObject([2, 2, 3, 3].map(received => ({ value: { received } })));
    expect(dealt).toEqual(["1 a", "2 b", "3 c"]);
  });

  it("are answered with the number of chat messages rejected in the last minute", async () => {
    const session = await sessionOf("run");
    refused = { lines: 3, from: "192.0.2.1" };
    expect(await tell(session, 1, "a")).toEqual({ value: { actions: [], received: 1, refused } });
    refused = undefined;
    expect(await tell(session, 2, "b")).toEqual({ value: { actions: [], received: 2 } });
  });
});
