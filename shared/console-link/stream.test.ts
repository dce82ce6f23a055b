import { describe, expect, it } from "@jest/globals";
import { seededRandom } from "../../lab/simulator/random.ts";
import { frameLine, keyOf, readFrameLine } from "./frames.ts";
import { createStream } from "./stream.ts";

const KEY = keyOf("0123456789abcdef0123");
const WINDOW = 3;
const create = () => createStream({ times: { resend: 10, ack: 2 }, maxPayload: 4, window: WINDOW });
type End = ReturnType<typeof create>;

/** The numbers of the parts that are sent at this time. */
function sent(end: End, now: number): number[] {
  const numbers: number[] = [];
  for (let frame = end.next(now); frame !== undefined; frame = end.next(now)) numbers.push(frame.seq);
  return numbers;
}

const part = (seq: number) => ({ seq, ack: 0, isLast: true, payload: "" });

describe("one end of the console link", () => {
  it("[CONSOLE-4] repeats a part that is not acknowledged, each time after twice the first wait", () => {
    const end = create();
    end.send("a");
    const times = Array.from({ length: 80 }, (_, now) => now).filter(now => sent(end, now).length > 0);
    expect(times).toEqual([0, 10, 30, 50, 70]);
  });

  it("[CONSOLE-5] sends no more parts than fit before the other end has acknowledged the first of them", () => {
    const end = create();
    end.send("abcdefghijklmnopqrstuvwxyz");
    expect(sent(end, 0)).toEqual([1, 2, 3]);
    end.receive({ seq: 0, ack: 2, isLast: true, payload: "" }, 1);
    expect(sent(end, 1)).toEqual([4, 5]);
  });

  it("[CONSOLE-5] acknowledges after a moment, and immediately after four parts or a repeated one", () => {
    const end = create();
    end.receive(part(1), 0);
    expect([sent(end, 0), sent(end, 1), sent(end, 2)]).toEqual([[], [], [0]]);
    for (const seq of [2, 3, 4, 5]) end.receive(part(seq), 3);
    expect(sent(end, 3)).toEqual([0]);
    end.receive(part(5), 4);
    expect(sent(end, 4)).toEqual([0]);
  });
});

it("[CONSOLE-4] a stream over a lossy line delivers every message once and in order in both directions", () => {
  for (let seed = 0; seed < 60; seed++) {
    const random = seededRandom(seed);
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
