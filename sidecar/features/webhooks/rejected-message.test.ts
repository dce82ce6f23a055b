import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { FeedEntry } from "../feed/rules/window.ts";
import {
  afterAccepted,
  type Bisection,
  leftOut,
  NOT_REJECTED,
  type RejectedMessage,
  rejectedAgain,
} from "./rejected-message.ts";

const GAME = "game";
const WEB = "web";
type From = "game" | "web";

const entries = (...from: From[]): FeedEntry[] =>
  from.map((each, i) => ({ id: `1-${i}`, event: { event: "chat", at: 1, from: each, content: `${i}` } }));
const list = (count: number, from: From = GAME): FeedEntry[] => entries(...Array(count).fill(from));

/** The state of a message after this many rejections. */
const refused = (
  message: FeedEntry[],
  times: number,
  from: RejectedMessage = NOT_REJECTED,
): RejectedMessage => {
  let state = from;
  for (let i = 0; i < times; i++) state = rejectedAgain(state, message.slice(0, state.bisection?.max));
  return state;
};

describe("a message that is rejected permanently", () => {
  it("is tried three times unchanged, then without the messages from the website", () => {
    const message = entries(GAME, WEB, GAME);
    expect(refused(message, 2)).toEqual({ times: 2 });
    expect(refused(message, 3).bisection).toEqual({ max: 3, without: "web", left: 3 });
    expect(afterAccepted(refused(message, 3), 3)).toBe(NOT_REJECTED);
  });

  it("is bisected if it has no message from the website, until one line is left, which is replaced", () => {
    const message = list(5);
    const cuts = [3, 4, 5, 6].map(times => refused(message, times).bisection);
    expect(cuts).toEqual([
      { max: 3, without: "web", left: 5 },
      { max: 2, without: "web", left: 5 },
      { max: 1, without: "web", left: 5 },
      { max: 1, without: "all", left: 5 },
    ]);
  });

  it("starts over if even the replacement is rejected: the line is not the cause", () => {
    expect(refused(list(1), 3).bisection?.without).toBe("all");
    expect(refused(list(1), 4)).toBe(NOT_REJECTED);
    expect(refused(list(1, WEB), 3).bisection?.without).toBe("web");
    expect(refused(list(1, WEB), 4)).toBe(NOT_REJECTED);
  });

  it("keeps the accepted size until the complete message is delivered", () => {
    const half = refused(list(4), 3);
    const rest = afterAccepted(half, 2);
    expect(rest.bisection).toEqual({ max: 2, without: "web", left: 2 });
    expect(afterAccepted(rest, 2)).toBe(NOT_REJECTED);
  });

  it("is sent completely again after the rejected line", () => {
    expect(afterAccepted(refused(list(4), 5), 1)).toBe(NOT_REJECTED);
  });

  it("forgets rejections once something is accepted", () => {
    expect(afterAccepted({ times: 2 }, 1)).toBe(NOT_REJECTED);
  });

  it("omits only the game lines that are always rejected, in a bounded number of attempts", () => {
    const line = fc.record({ from: fc.constantFrom<From>(GAME, WEB), isBad: fc.boolean() });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 60 }), lines => {
        const all = entries(...lines.map(({ from }) => from));
        const isBad = ({ id }: FeedEntry): boolean => lines[Number(id.slice(2))]?.isBad === true;
        const out = { web: 0, game: 0 };
        let state = NOT_REJECTED;
        let [place, attempts] = [0, 0];
        const sees = (bisection: Bisection | undefined, { event }: FeedEntry): boolean =>
          bisection === undefined ||
          (bisection.without === "web" && event.event === "chat" && event.from === GAME);
        while (place < all.length) {
          attempts++;
          const message = all.slice(place).slice(0, state.bisection?.max);
          if (message.some(each => isBad(each) && sees(state.bisection, each))) {
            state = rejectedAgain(state, message);
            continue;
          }
          const { web, game } = leftOut(state.bisection, message);
          out.web += web;
          out.game += game;
          place += message.length;
          state = afterAccepted(state, message.length);
        }
        const bad = lines.filter(each => each.isBad);
        expect(out.game).toBe(bad.filter(({ from }) => from === GAME).length);
        expect(out.web).toBeGreaterThanOrEqual(bad.length - out.game);
        // Each rejected line costs three attempts, then one for each halving, before and after it.
        expect(attempts).toBeLessThanOrEqual(2 + bad.length * (3 + 2 * 7));
      }),
    );
  });
});
