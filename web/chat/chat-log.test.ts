import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { type ChatLog, type ChatLogEvent, chatLogReducer, EMPTY, type Line, MAX_LINES } from "./chat-log.ts";

const lines = (from: number, count: number): Line[] =>
  Array.from({ length: count }, (_, i) => ({ id: from + i, at: 0, kind: "game", segments: [{ text: "x" }] }));
const added = (from: number, count: number, unread: number[] = []): ChatLogEvent => ({
  is: "added",
  lines: lines(from, count),
  unread,
});
const logAfter = (...events: ChatLogEvent[]): ChatLog => events.reduce(chatLogReducer, EMPTY);

describe("the log of the chat", () => {
  it("keeps messages in order, and counts none that the reader saw", () => {
    expect(logAfter(added(1, 2), added(3, 1))).toEqual({
      lines: lines(1, 3),
      unread: 0,
      unreadFrom: undefined,
    });
  });

  it("counts unread messages, and marks the first one until the next unread message", () => {
    const missed = logAfter(added(1, 1), added(2, 2, [2, 3]), added(4, 1, [4]));
    expect(missed).toMatchObject({ unread: 3, unreadFrom: 2 });
    const seen = chatLogReducer(missed, { is: "read" });
    expect(seen).toMatchObject({ unread: 0, unreadFrom: 2 });
    expect(chatLogReducer(seen, added(5, 1))).toMatchObject({ unread: 0, unreadFrom: 2 });
    expect(chatLogReducer(seen, added(5, 1, [5]))).toMatchObject({ unread: 1, unreadFrom: 5 });
  });

  it("marks the oldest unread message that remains when more arrive than the log stores", () => {
    expect(logAfter(added(1, 1, [1]), added(2, MAX_LINES))).toMatchObject({ unread: 1, unreadFrom: 2 });
  });

  const own = (id: number, isEarly: boolean, text = "hi"): Line => ({
    id,
    at: 0,
    kind: "own",
    segments: [{ text }],
    isEarly,
  });
  const early = (id: number): Line => ({ ...own(id, true), kind: "web" });
  const addition = (...all: Line[]): ChatLogEvent => ({ is: "added", lines: all, unread: [] });
  const ids = (log: ChatLog): number[] => log.lines.map(({ id }) => id);

  it("keeps a rejected message, and does not mistake it for a later one with the same text", () => {
    const sent = { ...own(1, true), sending: "underway" as const };
    const log = logAfter(
      { is: "added", lines: [sent], unread: [] },
      { is: "rejected", id: 1 },
      { is: "feed_open" },
    );
    expect(log.lines).toMatchObject([{ id: 1, sending: "rejected" }]);
    expect(chatLogReducer(log, { is: "added", lines: [own(2, false)], unread: [] }).lines).toHaveLength(2);
  });

  it("moves own messages to where the feed delivers them, each once", () => {
    const log = logAfter(
      addition(own(1, true), own(2, true), own(3, true, "other")),
      added(4, 1),
      addition(own(5, false)),
    );
    expect(ids(log)).toEqual([2, 3, 4, 5]);
    expect(ids(chatLogReducer(log, addition(own(6, false))))).toEqual([3, 4, 5, 6]);
  });

  it("drops early messages once the feed delivers them, and then marks the first unread one", () => {
    const log = logAfter(
      added(1, 1),
      { is: "added", lines: [early(2), own(3, true)], unread: [2] },
      { is: "read" },
      { is: "feed_open" },
      added(4, 2),
    );
    expect(ids(log)).toEqual([1, 4, 5]);
    expect(log).toMatchObject({ unread: 0, unreadFrom: 4 });
  });

  it("counts a message that the feed repeats once, and shows hidden messages when the feed is lost", () => {
    const hidden: Line = { ...early(2), isHidden: true };
    const came: ChatLogEvent = { is: "added", lines: [hidden], unread: [2] };
    expect(logAfter(came, { is: "feed_open" })).toMatchObject({ lines: [], unread: 0 });
    expect(logAfter(came, { is: "feed_open" }, added(3, 1, [3]))).toMatchObject({ unread: 1, unreadFrom: 3 });
    expect(logAfter(added(1, 1, [1]), came, { is: "feed_open" })).toMatchObject({ unread: 1, unreadFrom: 1 });
    expect(logAfter(came, { is: "feed_lost" })).toMatchObject({ lines: [early(2)], unread: 1 });
  });

  it("keeps an unsent message until it is sent again", () => {
    const sending = { ...own(2, true), sending: "underway" as const };
    const log = logAfter(addition(own(1, true), sending), { is: "failed", id: 2 }, { is: "feed_open" });
    expect(log.lines).toEqual([{ ...sending, isEarly: false, sending: "unsent" }]);
    expect(ids(chatLogReducer(log, addition(own(3, false))))).toEqual([2, 3]);
    expect(ids(chatLogReducer(log, { is: "removed", id: 2 }))).toEqual([]);
  });

  it("shows an unconfirmed message as not sent until the feed delivers it", () => {
    const sending = { ...own(1, true), sending: "underway" as const };
    const log = logAfter(addition(sending), { is: "unconfirmed", id: 1 }, { is: "feed_open" });
    expect(log.lines).toEqual([{ ...sending, sending: "unsent" }]);
    expect(ids(chatLogReducer(log, addition(own(2, false))))).toEqual([2]);
    expect(logAfter(addition(sending), { is: "sent", id: 1 }).lines).toEqual([own(1, true)]);
  });

  it("keeps the newest messages, and always marks one that it has", () => {
    const batch = fc.record({ count: fc.integer({ min: 1, max: MAX_LINES }), isMissed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(fc.option(batch), { maxLength: 12 }), batches => {
        let [log, last] = [EMPTY, 0];
        for (const one of batches) {
          const [first, count] = [last + 1, one?.count ?? 0];
          last += count;
          const missed = one?.isMissed ? lines(first, count).map(({ id }) => id) : [];
          log = chatLogReducer(log, one ? added(first, count, missed) : { is: "read" });
          expect(log.lines.map(({ id }) => id)).toEqual(
            lines(Math.max(1, last - MAX_LINES + 1), Math.min(last, MAX_LINES)).map(({ id }) => id),
          );
          if (log.unread > 0) expect(log.lines.some(({ id }) => id === log.unreadFrom)).toBe(true);
        }
      }),
    );
  });
});
