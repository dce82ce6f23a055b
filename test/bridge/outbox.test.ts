import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { Action } from "../../shared/actions.ts";
import { EmbeddedOutbox } from "../../sidecar/bridge/embedded-outbox.ts";
import { ManualClock } from "../helpers/clock.ts";

let clock: ManualClock;
let outbox: EmbeddedOutbox;
beforeEach(() => {
  clock = new ManualClock(0);
  outbox = new EmbeddedOutbox(clock);
});

const say = (id: string, expiresAt = 10_000) =>
  outbox.append({ id, body: { do: "chat", text: id }, expiresAt });

const read = (id: string) => outbox.append({ id, body: { do: "allowlist-read" }, expiresAt: 10_000 });

async function open(run = "run", firstFact = 1): Promise<string> {
  const opened = await outbox.open({ run, firstFact });
  if ("fault" in opened) throw new Error(opened.fault);
  return opened.value.session;
}

async function take(session: string, after: number, waitMs = 0, signal?: AbortSignal): Promise<Action[]> {
  const taken = await outbox.take(session, after, waitMs, signal);
  if ("fault" in taken) throw new Error(taken.fault);
  return taken.value;
}

const ids = (actions: Action[]): string[] => actions.map(action => action.id);
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe("the outbox", () => {
  it("hands an action out again until it is acknowledged", async () => {
    const session = await open();
    await say("a");
    await say("b");
    const first = await take(session, 0);
    expect(ids(first)).toEqual(["a", "b"]);
    expect(await take(session, 0)).toEqual(first);
    expect(ids(await take(session, first[0]?.seq ?? 0))).toEqual(["b"]);
    expect(await take(session, first[1]?.seq ?? 0)).toEqual([]);
    expect(await outbox.size()).toBe(0);
  });

  it("counts the life of an action from the moment the request came in", async () => {
    const session = await open();
    const waiting = take(session, 0, 20_000);
    clock.advance(4_000);
    await outbox.append({
      id: "a",
      body: { do: "link-open", request: "a", username: "Steve", browser: "01234567", openForMs: 60_000 },
      expiresAt: 14_000,
    });
    await turn();
    expect(await waiting).toMatchObject([{ expiresInMs: 14_000, body: { openForMs: 64_000 } }]);
    clock.advance(3_000);
    expect(await take(session, 0)).toMatchObject([{ expiresInMs: 7_000, body: { openForMs: 57_000 } }]);
  });

  it("never hands out an action whose time is over", async () => {
    const session = await open();
    await say("a", 500);
    clock.advance(500);
    expect(await take(session, 0)).toEqual([]);
  });

  it("answers what comes in one turn of the event loop at once", async () => {
    const session = await open();
    const waiting = take(session, 0, 20_000);
    await say("a");
    await say("b");
    expect(ids(await waiting)).toEqual(["a", "b"]);
  });

  it("answers with nothing when the wait is over", async () => {
    const session = await open();
    const waiting = take(session, 0, 20_000);
    clock.advance(20_000);
    expect(await waiting).toEqual([]);
  });

  it("ends an earlier wait when a later one begins", async () => {
    const session = await open();
    const earlier = take(session, 0, 20_000);
    const later = take(session, 0, 20_000);
    expect(await earlier).toEqual([]);
    await say("a");
    expect(ids(await later)).toEqual(["a"]);
  });

  it("hands nothing to a request whose connection is gone", async () => {
    const session = await open();
    const gone = new AbortController();
    const waiting = take(session, 0, 20_000, gone.signal);
    gone.abort();
    expect(await waiting).toEqual([]);
    await say("a");
    expect(await outbox.withdraw("a")).toBe(true);
  });

  it("takes back an action that nobody has had and no other", async () => {
    const session = await open();
    await say("a");
    await say("b");
    expect(await outbox.withdraw("a")).toBe(true);
    expect(ids(await take(session, 0))).toEqual(["b"]);
    expect(await outbox.withdraw("b")).toBe(false);
    expect(await outbox.withdraw("c")).toBe(false);
  });

  it("continues the session of a run that says hello again", async () => {
    const session = await open();
    await say("a");
    await take(session, 0);
    await outbox.markReceived(session, 7);
    expect(await outbox.open({ run: "run", firstFact: 1 })).toEqual({ value: { session, lost: [] } });
    expect(ids(await take(session, 0))).toEqual(["a"]);
    expect(await outbox.received(session)).toEqual({ value: 7 });
  });

  it("keeps from a new run what the one before may have begun, and gives it the rest", async () => {
    const session = await open();
    await say("a");
    await take(session, 0);
    await say("b");
    const opened = await outbox.open({ run: "next", firstFact: 1 });
    expect(opened).toMatchObject({ value: { lost: ["a"] } });
    expect(ids(await take("value" in opened ? opened.value.session : "", 0))).toEqual(["b"]);
  });

  it("refuses a session that it does not know and one that was replaced", async () => {
    const session = await open();
    await open("next");
    expect(await outbox.take(session, 0, 0)).toEqual({ fault: "session_replaced" });
    expect(await outbox.received("other")).toEqual({ fault: "unknown_session" });
  });

  it("refuses a late hello of a replaced run while its successor is alive", async () => {
    await open("one");
    const session = await open("two");
    clock.advance(59_000);
    expect(await outbox.open({ run: "one", firstFact: 1 })).toEqual({ fault: "session_replaced" });
    expect(await take(session, 0)).toEqual([]);
    clock.advance(60_000);
    expect(await outbox.open({ run: "one", firstFact: 1 })).toHaveProperty("value.session");
  });

  it("tells the wait of a replaced session that it is over", async () => {
    const session = await open();
    const waiting = outbox.take(session, 0, 20_000);
    await open("next");
    expect(await waiting).toEqual({ fault: "session_replaced" });
  });

  it("is full at 2,000 actions and has room again when they expire", async () => {
    for (let i = 0; i < 2_000; i++) expect(await read(`a${i}`)).toBe(true);
    expect(await read("one more")).toBe(false);
    expect(await say("a line")).toBe(false);
    clock.advance(10_000);
    expect(await say("later", 20_000)).toBe(true);
  });

  it("takes 1,000 lines of chat, and what is no chat beside them", async () => {
    for (let i = 0; i < 1_000; i++) expect(await say(`a${i}`)).toBe(true);
    expect(await say("one more")).toBe(false);
    expect(await read("list")).toBe(true);
    const session = await open();
    const [first] = await take(session, 0);
    await take(session, first?.seq ?? 0);
    expect(await say("room again")).toBe(true);
  });

  it("lets a pack that takes each number once have every action once and in order, whatever is lost", async () => {
    const happening = fc.oneof(
      { weight: 3, arbitrary: fc.constant("append" as const) },
      { weight: 3, arbitrary: fc.constant("request arrives" as const) },
      { weight: 2, arbitrary: fc.constant("request sent" as const) },
      { weight: 3, arbitrary: fc.constant("answer arrives" as const) },
      { weight: 1, arbitrary: fc.constant("something is lost" as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 80 }), fc.nat(), async (happenings, pick) => {
        clock = new ManualClock(0);
        outbox = new EmbeddedOutbox(clock);
        const session = await open();
        let appended = 0;
        let seen = 0;
        const taken: string[] = [];
        const requests: number[] = [];
        const answers: Action[][] = [];
        const receive = (answer: Action[]): void => {
          for (const action of answer) {
            if (action.seq <= seen) continue;
            seen = action.seq;
            taken.push(action.id);
          }
        };
        for (const [i, what] of happenings.entries()) {
          const at = (pick + i * 7) % 5;
          if (what === "append") await say(`${appended++}`);
          else if (what === "request sent") requests.push(seen);
          else if (what === "request arrives") {
            const after = requests.splice(at % Math.max(1, requests.length), 1)[0];
            if (after !== undefined) answers.push(await take(session, after));
          } else if (what === "answer arrives")
            receive(answers.splice(at % Math.max(1, answers.length), 1)[0] ?? []);
          else if (at < 2) requests.pop();
          else answers.pop();
        }
        for (;;) {
          const rest = await take(session, seen);
          if (rest.length === 0) break;
          receive(rest);
        }
        expect(taken).toEqual(Array.from({ length: appended }, (_, i) => `${i}`));
      }),
      { numRuns: 300 },
    );
  });
});
