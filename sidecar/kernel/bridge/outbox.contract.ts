import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Action } from "../../../shared/actions.ts";
import { ManualClock } from "../../../test/helpers/clock.ts";
import type { Outbox } from "./ports.ts";

/** Contract of every outbox; `make` creates an empty one that uses the clock. `runs`: runs of each property. */
export function describeOutbox(
  name: string,
  make: (clock: ManualClock) => Promise<Outbox>,
  runs: number,
): void {
  let clock: ManualClock;
  let outbox: Outbox;
  const begin = async (): Promise<void> => {
    clock = new ManualClock(0);
    outbox = await make(clock);
  };
  beforeEach(begin);
  afterEach(() => outbox.close());

  const say = (id: string, lifeMs = 10_000) => outbox.append({ id, body: { do: "chat", text: id }, lifeMs });

  const read = (id: string) => outbox.append({ id, body: { do: "allowlist-read" }, lifeMs: 10_000 });

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

  describe(name, () => {
    it("[ACT-2] delivers an action again until it is acknowledged", async () => {
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

    it("[TIME-1] counts the lifetime of an action from when the request arrived", async () => {
      const session = await open();
      const waiting = take(session, 0, 20_000);
      clock.advance(4_000);
      await outbox.append({
        id: "a",
        body: { do: "link-open", request: "a", username: "Steve", browser: "01234567", openForMs: 60_000 },
        lifeMs: 10_000,
      });
      await turn();
      expect(await waiting).toMatchObject([{ expiresInMs: 14_000, body: { openForMs: 64_000 } }]);
      clock.advance(3_000);
      expect(await take(session, 0)).toMatchObject([{ expiresInMs: 7_000, body: { openForMs: 57_000 } }]);
    });

    it("[TIME-2] never delivers an expired action", async () => {
      const session = await open();
      await say("a", 500);
      clock.advance(500);
      expect(await take(session, 0)).toEqual([]);
    });

    it("[POLL-2] answers with all actions of one event-loop iteration", async () => {
      const session = await open();
      const waiting = take(session, 0, 20_000);
      await Promise.all([say("a"), say("b")]);
      expect(ids(await waiting)).toEqual(["a", "b"]);
    });

    it("[POLL-2] answers without actions when the wait is over", async () => {
      const session = await open();
      const waiting = take(session, 0, 20_000);
      clock.advance(20_000);
      expect(await waiting).toEqual([]);
    });

    it("[POLL-3] ends an earlier wait when a later one begins", async () => {
      const session = await open();
      const earlier = take(session, 0, 20_000);
      const later = take(session, 0, 20_000);
      expect(await earlier).toEqual([]);
      await say("a");
      expect(ids(await later)).toEqual(["a"]);
    });

    it("[POLL-3] delivers nothing to a request whose connection has closed", async () => {
      const session = await open();
      const gone = new AbortController();
      const waiting = take(session, 0, 20_000, gone.signal);
      gone.abort();
      expect(await waiting).toEqual([]);
      await say("a");
      expect(await outbox.withdraw("a")).toBe(true);
    });

    it("[ACT-7] withdraws an undelivered action, and no other", async () => {
      const session = await open();
      await say("a");
      await say("b");
      expect(await outbox.withdraw("a")).toBe(true);
      expect(ids(await take(session, 0))).toEqual(["b"]);
      expect(await outbox.withdraw("b")).toBe(false);
      expect(await outbox.withdraw("c")).toBe(false);
    });

    it("[SESSION-2] resumes the session of a run that says hello again", async () => {
      const session = await open();
      await say("a");
      await take(session, 0);
      await outbox.markReceived(session, 7);
      expect(await outbox.open({ run: "run", firstFact: 1 })).toEqual({ value: { session, lost: [] } });
      expect(ids(await take(session, 0))).toEqual(["a"]);
      expect(await outbox.received(session)).toEqual({ value: { run: "run", fact: 7 } });
    });

    it("[SESSION-7] delivers to a new run only what the previous one cannot have begun", async () => {
      const session = await open();
      await say("a");
      await take(session, 0);
      await say("b");
      const opened = await outbox.open({ run: "next", firstFact: 1 });
      expect(opened).toMatchObject({ value: { lost: [{ id: "a", do: "chat" }] } });
      expect(ids(await take("value" in opened ? opened.value.session : "", 0))).toEqual(["b"]);
    });

    it("[SESSION-7] counts actions acknowledged by the previous run as lost while their outcomes are pending", async () => {
      const session = await open();
      await say("a", 5_000);
      await say("b");
      const [, last] = await take(session, 0);
      await take(session, last?.seq ?? 0);
      clock.advance(5_000);
      expect(await outbox.open({ run: "next", firstFact: 1 })).toMatchObject({
        value: { lost: [{ id: "b", do: "chat" }] },
      });
      expect(await outbox.open({ run: "third", firstFact: 1 })).toMatchObject({ value: { lost: [] } });
    });

    it("[SESSION-3] [SESSION-5] rejects an unknown session and a replaced one", async () => {
      const session = await open();
      await open("next");
      expect(await outbox.take(session, 0, 0)).toEqual({ fault: "session_replaced" });
      expect(await outbox.received("other")).toEqual({ fault: "unknown_session" });
    });

    it("[SESSION-4] rejects a late hello of a replaced run while its successor is alive", async () => {
      await open("one");
      const session = await open("two");
      clock.advance(59_000);
      expect(await outbox.open({ run: "one", firstFact: 1 })).toEqual({ fault: "session_replaced" });
      expect(await take(session, 0)).toEqual([]);
      clock.advance(60_000);
      expect(await outbox.open({ run: "one", firstFact: 1 })).toHaveProperty("value.session");
    });

    it("[SESSION-4] remembers sixteen replaced runs, and treats an older one as new", async () => {
      const first = await open("run 0");
      const second = await open("run 1");
      for (let i = 2; i <= 17; i++) await open(`run ${i}`);
      expect(await outbox.received(first)).toEqual({ fault: "unknown_session" });
      expect(await outbox.received(second)).toEqual({ fault: "session_replaced" });
      expect(await outbox.open({ run: "run 1", firstFact: 1 })).toEqual({ fault: "session_replaced" });
      expect(await outbox.open({ run: "run 0", firstFact: 1 })).toHaveProperty("value.session");
    });

    it("[FACT-5] counts every fact before the first one of a new run as received", async () => {
      expect(await outbox.received(await open("run", 8))).toEqual({ value: { run: "run", fact: 7 } });
    });

    it("[ACT-1] delivers the oldest 64 actions after the number, in order", async () => {
      const session = await open();
      for (let i = 0; i < 70; i++) await say(`${i}`);
      const first = await take(session, 0);
      expect(ids(first)).toEqual(Array.from({ length: 64 }, (_, i) => `${i}`));
      const rest = await take(session, first.at(-1)?.seq ?? 0);
      expect(ids(rest)).toEqual(["64", "65", "66", "67", "68", "69"]);
      const numbers = [...first, ...rest].map(({ seq }) => seq);
      expect(numbers.every((seq, i) => i === 0 || seq > (numbers[i - 1] ?? 0))).toBe(true);
    });

    it("[SESSION-3] ends the wait of a replaced session", async () => {
      const session = await open();
      const waiting = outbox.take(session, 0, 20_000);
      await open("next");
      expect(await waiting).toEqual({ fault: "session_replaced" });
    });

    it("[ACT-8] is full with 2,000 actions, and has room again when they expire", async () => {
      for (let i = 0; i < 2_000; i++) expect(await read(`a${i}`)).toBe(true);
      expect(await read("one more")).toBe(false);
      expect(await say("a line")).toBe(false);
      clock.advance(10_000);
      expect(await say("later")).toBe(true);
    });

    it("[ACT-8] accepts 1,000 chat messages, and other actions besides", async () => {
      for (let i = 0; i < 1_000; i++) expect(await say(`a${i}`)).toBe(true);
      expect(await say("one more")).toBe(false);
      expect(await read("list")).toBe(true);
      const session = await open();
      const [first] = await take(session, 0);
      await take(session, first?.seq ?? 0);
      expect(await say("room again")).toBe(true);
    });

    it("[ACT-8] accepts 500 link requests, and other actions besides", async () => {
      const open = (request: string) =>
        outbox.append({
          id: request,
          body: { do: "link-open", request, username: "Nobody", browser: "01234567", openForMs: 60_000 },
          lifeMs: 10_000,
        });
      for (let i = 0; i < 500; i++) expect(await open(`a${i}`)).toBe(true);
      expect(await open("one more")).toBe(false);
      expect(await read("list")).toBe(true);
      expect(await say("a line")).toBe(true);
    });

    it("[ACT-2] [ACT-3] delivers every action once and in order to a pack that takes each number once, despite losses", async () => {
      const happening = fc.oneof(
        { weight: 3, arbitrary: fc.constant("append" as const) },
        { weight: 3, arbitrary: fc.constant("request arrives" as const) },
        { weight: 2, arbitrary: fc.constant("request sent" as const) },
        { weight: 3, arbitrary: fc.constant("answer arrives" as const) },
        { weight: 1, arbitrary: fc.constant("something is lost" as const) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(happening, { maxLength: 80 }), fc.nat(), async (happenings, pick) => {
          await begin();
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
        { numRuns: runs },
      );
    });

    it("[FACT-3] processes one request after another, in order, even if one fails", async () => {
      const done: string[] = [];
      const dealing = (what: string) => async (): Promise<string> => {
        await turn();
        done.push(what);
        if (what === "b") throw new Error("no");
        return what;
      };
      const all = await Promise.allSettled(["a", "b", "c"].map(what => outbox.withLease(dealing(what))));
      expect(done).toEqual(["a", "b", "c"]);
      expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    });
  });
}
