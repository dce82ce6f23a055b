import { expect, test } from "@jest/globals";
import {
  askLine,
  frameLine,
  frameWord,
  keyOf,
  keyOfLine,
  keyWord,
  readAsk,
  readFrameLine,
  readFrameWord,
  readKeyWord,
} from "./console-link/frames.ts";
import { readFromLaunch, readFromPack, writeFromLaunch, writeFromPack } from "./console-link/messages.ts";
import { createStream } from "./console-link/stream.ts";

const KEY = keyOf("0123456789abcdef0123");

/** Random numbers from 0 up to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

test("[CONSOLE-4] a stream over a lossy line delivers every message once and in order in both directions", () => {
  for (let seed = 0; seed < 60; seed++) {
    const random = randomOf(seed);
    const options = { times: { resend: 10, ack: 2 }, maxPayload: 20, window: 4 };
    const ends = [createStream(options), createStream(options)] as const;
    const got: string[][] = [[], []];
    const sent: string[][] = [[], []];
    const onWay: { to: 0 | 1; at: number; text: string }[] = [];
    for (let now = 0; now < 4_000; now++) {
      for (const from of [0, 1] as const) {
        if (now < 800 && random() < 0.1) {
          const message = `${from}:${sent[from]?.length} ${"x".repeat(Math.floor(random() * 90))}`;
          sent[from]?.push(message);
          ends[from].send(message);
        }
        for (let frame = ends[from].next(now); frame !== undefined; frame = ends[from].next(now)) {
          const text = frameLine(KEY, frame);
          for (let copies = random() < 0.2 ? 0 : random() < 0.1 ? 2 : 1; copies > 0; copies--)
            onWay.push({
              to: from === 0 ? 1 : 0,
              at: now + 1 + Math.floor(random() * (random() < 0.1 ? 30 : 3)),
              text:
                random() < 0.05
                  ? text.slice(0, Math.floor(random() * text.length)) +
                    text.slice(Math.floor(random() * text.length))
                  : text,
            });
        }
      }
      for (const each of onWay.filter(({ at }) => at === now)) {
        const frame = readFrameLine(KEY, each.text);
        if (frame !== undefined) got[each.to]?.push(...ends[each.to].receive(frame, now));
      }
    }
    expect(got[1]).toEqual(sent[0]);
    expect(got[0]).toEqual(sent[1]);
    expect(ends.map(end => end.isIdle())).toEqual([true, true]);
  }
});

test("the line that asks for a key has the id of the pack", () => {
  expect(readAsk(askLine("abc123"))).toBe("abc123");
  expect(readAsk(`${askLine("abc123")} and more`)).toBeUndefined();
});

test("[CONSOLE-1] a key is only for the pack that asked", () => {
  expect(readKeyWord(keyWord(KEY, "abc123"), "abc123")).toBe(KEY);
  expect(readKeyWord(keyWord(KEY, "abc123"), "abc124")).toBeUndefined();
});

test("[CONSOLE-3] a frame comes back from its line and its word", () => {
  const frame = { seq: 70_000, ack: 12, isLast: false, payload: '{"a":[1]}' };
  expect(keyOfLine(frameLine(KEY, frame))).toBe(KEY);
  expect(readFrameLine(KEY, frameLine(KEY, frame))).toEqual(frame);
  expect(readFrameWord(KEY, frameWord(KEY, frame, "eyJhIjp9"))).toEqual({ ...frame, payload: "eyJhIjp9" });
});

test.each([
  { is: "ready" },
  { is: "request", id: 1, path: "/bridge/poll", timeoutSeconds: 25, body: '{"a":"b c"}' },
  { is: "task", id: 2, task: { do: "kick", name: "A B", reason: "x" } },
] as const)("$is of the pack is read as it was written", message => {
  expect(readFromPack(writeFromPack(message))).toEqual(message);
});

test.each([
  { is: "answer", id: 1, status: 200, body: '{"a":"ü  c"}' },
  { is: "failed", id: 2, why: "Timeout" },
  { is: "result", id: 3, value: ["a"] },
  { is: "players", players: [{ name: "A, xuid: 1", persistentId: "00AA" }, { name: "B" }] },
  { is: "settings", url: "http://127.0.0.1:8081", world: "World" },
] as const)("$is of launch is read as it was written", message => {
  expect(readFromLaunch(writeFromLaunch(message))).toEqual(message);
});
