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
/** lines from the web that were refused in the last minute */
let refused: { lines: number; from: string } | undefined;
/** texts that were said, with the numbers of their facts, in the order in which they were dealt with */
let dealt: string[];
/** how long each takes, in milliseconds */
let takesMs: number;

/** A sidecar starts with what this store has. */
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
    greeting: { linkForm: "buttons", texts: {}, languages: [] },
  });
}

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
  ])("[VER-2] is refused where it is of %s, with the side to update", async (_when, versions, update) => {
    const answer = await pack.hello({ ...hello(), ...versions });
    expect(answer).toMatchObject({ fault: { error: "wire_mismatch", more: { update } } });
    expect(log.text).toContain(`update the ${update}`);
  });

  it("[VER-1] is taken from a newer pack that still understands this version", async () => {
    expect(await pack.hello({ ...hello(), wire: 9, wireOldest: 1 })).toHaveProperty("value.session");
  });

  it("[SESSION-11] says nothing while it is the same world, whatever it is called", async () => {
    await connect("a", ONE);
    await connect("b", { ...ONE, name: "Renamed" });
    await connect("c");
    expect(warnings()).toEqual([]);
    expect(log.text).toContain('"world":"Renamed"');
  });

  it("[SESSION-11] is warned of when another world connects, after a restart of the sidecar too", async () => {
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
  it("[SESSION-12] hears by which world it was replaced, also in the middle of a poll, and the log names whom it refuses", async () => {
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

  it("[SESSION-12] hears it in a name that nobody's console obeys", async () => {
    const session = await sessionOf("a", ONE);
    await connect("b", { id: "w2", name: "T\u001b[31mwo\n[INFO] §4Three\u202e" });
    expect(await poll(session)).toMatchObject({ fault: { more: { detail: "world: T[31mwo[INFO] Three" } } });
  });
});

describe("a poll", () => {
  it("[POLL-2] is held for 20 s when there is nothing to do", async () => {
    const session = await sessionOf("run");
    await tell(session, 1, "a");
    let isAnswered = false;
    const polled = poll(session).finally(() => {
      isAnswered = true;
    });
    clock.advance(19_999);
    // In their turn, behind all that the poll could be answered by.
    await tell(session, 2, "b");
    expect(isAnswered).toBe(false);
    clock.advance(1);
    expect(await polled).toEqual({ value: { actions: [], received: 2 } });
  });

  it("[POLL-3] has no answer once its connection is gone", async () => {
    const session = await sessionOf("run");
    const gone = new AbortController();
    const polled = poll(session, 0, gone.signal);
    gone.abort();
    expect(await polled).toBeUndefined();
  });
});

describe("facts", () => {
  it("[FACT-4] are answered before the pack gives up, with how far the sidecar has come, and go on from there", async () => {
    const session = await sessionOf("run");
    takesMs = 600;
    const texts = ["a", "b", "c", "d", "e"];
    for (const received of [2, 4, 5])
      expect(await tell(session, 1, ...texts)).toMatchObject({ value: { received } });
    expect(dealt).toEqual(["1 a", "2 b", "3 c", "4 d", "5 e"]);
    takesMs = 60_000;
    expect(await tell(session, 6, "f", "g")).toMatchObject({ value: { received: 6 } });
  });

  it("[FACT-3] [FACT-4] are dealt with once and in order, however often a frame is repeated", async () => {
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

  it("are answered with how many lines of the web were refused in the last minute", async () => {
    const session = await sessionOf("run");
    refused = { lines: 3, from: "192.0.2.1" };
    expect(await tell(session, 1, "a")).toEqual({ value: { actions: [], received: 1, refused } });
    refused = undefined;
    expect(await tell(session, 2, "b")).toEqual({ value: { actions: [], received: 2 } });
  });
});
