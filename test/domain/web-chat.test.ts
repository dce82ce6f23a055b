import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { WEB_CHAT_MODES } from "../../shared/web-chat.ts";
import {
  browserOf,
  MAX_MUTES,
  MUTE_MS,
  mayWrite,
  type WebChatRules,
  withChange,
} from "../../sidecar/domain/web-chat.ts";

const SESSION = "faa3b7a4-83ac-4f2a-b301-e28f85630885";
const OTHER = "12345678-83ac-4f2a-b301-e28f85630885";
const rules = (mode: WebChatRules["mode"]): WebChatRules => ({ mode, mutes: [] });
const withMute = (before: WebChatRules, browser: string, isMuted: boolean, now: number): WebChatRules =>
  withChange(before, { browser, isMuted }, now);

describe("a browser", () => {
  it("is named by the first eight characters of its session", () => {
    expect([browserOf(SESSION), browserOf(undefined)]).toEqual(["faa3b7a4", "--------"]);
  });
});

describe("a line from the web", () => {
  it.each([
    ["everybody", true, true],
    ["linked", "if linked", "if linked"],
    ["read-only", false, false],
    ["off", false, false],
  ] as const)("may be sent in the mode %s: with a session %s, without one %s", (mode, own, without) => {
    expect(mayWrite(rules(mode), SESSION, 0)).toBe(own);
    expect(mayWrite(rules(mode), undefined, 0)).toBe(without);
    expect(mayWrite(withMute(rules(mode), browserOf(SESSION), true, 0), SESSION, 1)).toBe(false);
  });

  it("may not be sent by a muted browser for an hour, and by all others as before", () => {
    const muted = withMute(rules("everybody"), "faa3b7a4", true, 1_000);
    const may = (session: string | undefined, now: number) => mayWrite(muted, session, now);
    expect([may(SESSION, 1_000), may(SESSION, 999 + MUTE_MS), may(SESSION, 1_000 + MUTE_MS)]).toEqual([
      false,
      false,
      true,
    ]);
    expect([may(OTHER, 1_000), may(undefined, 1_000)]).toEqual([true, true]);
    const nameless = withMute(rules("everybody"), "--------", true, 1_000);
    expect([mayWrite(nameless, undefined, 1_000), mayWrite(nameless, SESSION, 1_000)]).toEqual([false, true]);
  });

  it("may be sent again once the mute was taken back", () => {
    const muted = withMute(rules("linked"), "faa3b7a4", true, 0);
    expect(withMute(muted, "faa3b7a4", false, 1)).toEqual(rules("linked"));
    expect(withMute(rules("linked"), "faa3b7a4", false, 1)).toEqual(rules("linked"));
  });
});

describe("the mutes", () => {
  it("outlast a change of the mode", () => {
    const muted = withMute(rules("everybody"), "faa3b7a4", true, 0);
    expect(withChange(muted, { mode: "linked" }, MUTE_MS)).toEqual({ ...muted, mode: "linked" });
  });

  it("are at most a thousand: the one that ends first goes", () => {
    let many = rules("everybody");
    for (let i = 0; i <= MAX_MUTES; i++) many = withMute(many, `${10_000_000 + i}`, true, i);
    expect(many.mutes).toHaveLength(MAX_MUTES);
    expect(many.mutes[0]).toEqual({ browser: "10000001", until: 1 + MUTE_MS });
  });

  it("hold each browser once, in the order in which they end, whatever operators do", () => {
    const step = fc.record({
      browser: fc.constantFrom("faa3b7a4", "12345678", "--------"),
      isMuted: fc.boolean(),
      ms: fc.integer({ min: 0, max: MUTE_MS }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...WEB_CHAT_MODES), fc.array(step), (mode, steps) => {
        let [held, now] = [rules(mode), 0];
        for (const { browser, isMuted, ms } of steps) {
          now += ms;
          held = withMute(held, browser, isMuted, now);
          const names = held.mutes.map(mute => mute.browser);
          expect(new Set(names).size).toBe(names.length);
          expect(names.includes(browser)).toBe(isMuted);
          expect(held.mutes.map(({ until }) => until)).toEqual(
            held.mutes.map(({ until }) => until).sort((a, b) => a - b),
          );
          expect(held.mutes.every(({ until }) => until > now)).toBe(true);
        }
      }),
    );
  });
});
