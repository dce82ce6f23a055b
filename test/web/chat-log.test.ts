import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChatLog, type ChatLogEvent, chatLog, EMPTY, type Line, MAX_LINES } from "../../web/chat-log.ts";

const lines = (from: number, count: number): Line[] =>
  Array.from({ length: count }, (_, i) => ({ id: from + i, at: 0, kind: "chat", segments: [{ text: "x" }] }));
const came = (from: number, count: number, missed: number[] = []): ChatLogEvent => ({
  is: "came",
  lines: lines(from, count),
  missed,
});
const logAfter = (...events: ChatLogEvent[]): ChatLog => events.reduce(chatLog, EMPTY);

describe("the log of the chat", () => {
  it("keeps lines in their order, and counts none that was seen", () => {
    expect(logAfter(came(1, 2), came(3, 1))).toEqual({
      lines: lines(1, 3),
      unread: 0,
      unreadFrom: undefined,
    });
  });

  it("counts what nobody saw, and marks the first of it until the next that nobody saw", () => {
    const missed = logAfter(came(1, 1), came(2, 2, [2, 3]), came(4, 1, [4]));
    expect(missed).toMatchObject({ unread: 3, unreadFrom: 2 });
    const seen = chatLog(missed, { is: "seen" });
    expect(seen).toMatchObject({ unread: 0, unreadFrom: 2 });
    expect(chatLog(seen, came(5, 1))).toMatchObject({ unread: 0, unreadFrom: 2 });
    expect(chatLog(seen, came(5, 1, [5]))).toMatchObject({ unread: 1, unreadFrom: 5 });
  });

  it("marks the first new line that is left when more came than are kept", () => {
    expect(logAfter(came(1, 1, [1]), came(2, MAX_LINES))).toMatchObject({ unread: 1, unreadFrom: 2 });
  });

  it("keeps the newest lines, and has its mark on one of them, whatever comes", () => {
    const batch = fc.record({ count: fc.integer({ min: 1, max: MAX_LINES }), isMissed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(fc.option(batch), { maxLength: 12 }), batches => {
        let [log, last] = [EMPTY, 0];
        for (const one of batches) {
          const [first, count] = [last + 1, one?.count ?? 0];
          last += count;
          const missed = one?.isMissed ? lines(first, count).map(({ id }) => id) : [];
          log = chatLog(log, one ? came(first, count, missed) : { is: "seen" });
          expect(log.lines.map(({ id }) => id)).toEqual(
            lines(Math.max(1, last - MAX_LINES + 1), Math.min(last, MAX_LINES)).map(({ id }) => id),
          );
          if (log.unread > 0) expect(log.lines.some(({ id }) => id === log.unreadFrom)).toBe(true);
        }
      }),
    );
  });
});
