import { describe, expect, it } from "@jest/globals";
import { createStream } from "./stream.ts";

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
