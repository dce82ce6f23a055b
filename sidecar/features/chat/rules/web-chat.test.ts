import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { WEB_CHAT_MODES } from "../../../../shared/web-chat.ts";
import { browserOf, MAX_MUTES, MUTE_MS, mayWrite, type RulesWithMode, withChange } from "./web-chat.ts";

const SESSION = "faa3b7a4-83ac-4f2a-b301-e28f85630885";
/** Names by which it may be muted: its first characters and its label. */
const NAMES = [browserOf(SESSION), "kxwtmhzr"];
const NOBODY = [browserOf(undefined)];
const rules = (mode: RulesWithMode["mode"]): RulesWithMode => ({ mode, mutes: [] });
const withMute = (before: RulesWithMode, browser: string, isMuted: boolean, now: number): RulesWithMode =>
  withChange(before, { browser, muteMs: isMuted ? MUTE_MS : 0 }, now);

describe("a browser", () => {
  it("is named by the first eight characters of its session", () => {
    expect([browserOf(SESSION), browserOf(undefined)]).toEqual(["faa3b7a4", "--------"]);
  });
});

describe("a message from the website", () => {
  it.each([
    ["everybody", true, true],
    ["linked", "if linked", "if linked"],
    ["read-only", false, false],
    ["off", false, false],
  ] as const)("may be sent in the mode %s: with a session %s, without one %s", (mode, own, without) => {
    expect(mayWrite(rules(mode), NAMES, 0)).toBe(own);
    expect(mayWrite(rules(mode), NOBODY, 0)).toBe(without);
    for (const name of NAMES) expect(mayWrite(withMute(rules(mode), name, true, 0), NAMES, 1)).toBe(false);
  });

  it("is rejected from a muted browser for an hour, and accepted from others", () => {
    const muted = withMute(rules("everybody"), "faa3b7a4", true, 1_000);
    const may = (names: string[], now: number) => mayWrite(muted, names, now);
    expect([may(NAMES, 1_000), may(NAMES, 999 + MUTE_MS), may(NAMES, 1_000 + MUTE_MS)]).toEqual([
      false,
      false,
      true,
    ]);
    expect([may(["12345678", "pqrstvwx"], 1_000), may(NOBODY, 1_000)]).toEqual([true, true]);
    const nameless = withMute(rules("everybody"), "--------", true, 1_000);
    expect([mayWrite(nameless, NOBODY, 1_000), mayWrite(nameless, NAMES, 1_000)]).toEqual([false, true]);
  });

  it("is accepted from a browser whose id starts like a browser that was muted by label", () => {
    const muted = withMute(rules("everybody"), "kxwtmhzr", true, 0);
    expect(mayWrite(muted, NAMES, 1)).toBe(false);
    expect(mayWrite(muted, ["faa3b7a4", "pqrstvwx"], 1)).toBe(true);
  });
});

describe("the mutes", () => {
  it("survive a change of the mode", () => {
    const muted = withMute(rules("everybody"), "faa3b7a4", true, 0);
    expect(withChange(muted, { mode: "linked" }, MUTE_MS)).toEqual({ ...muted, mode: "linked" });
  });

  it("are at most a thousand: the one that ends first is dropped", () => {
    let many = rules("everybody");
    for (let i = 0; i <= MAX_MUTES; i++) many = withMute(many, `${10_000_000 + i}`, true, i);
    expect(many.mutes).toHaveLength(MAX_MUTES);
    expect(many.mutes[0]).toEqual({ browser: "10000001", until: 1 + MUTE_MS });
  });

  it("include a new one that ends before a thousand others", () => {
    let many = rules("everybody");
    for (let i = 0; i < MAX_MUTES; i++)
      many = withChange(many, { browser: `${10_000_000 + i}`, muteMs: 2 * MUTE_MS }, i);
    many = withMute(many, "faa3b7a4", true, MAX_MUTES);
    expect(many.mutes).toHaveLength(MAX_MUTES);
    expect(mayWrite(many, NAMES, MAX_MUTES)).toBe(false);
    expect(mayWrite(many, ["10000000"], MAX_MUTES)).toBe(true);
  });

  it("list each browser once, in the order of expiry", () => {
    const step = fc.record({
      browser: fc.constantFrom("faa3b7a4", "12345678", "--------"),
      isMuted: fc.boolean(),
      ms: fc.integer({ min: 0, max: MUTE_MS }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...WEB_CHAT_MODES), fc.array(step), (mode, steps) => {
        let [current, now] = [rules(mode), 0];
        for (const { browser, isMuted, ms } of steps) {
          now += ms;
          current = withMute(current, browser, isMuted, now);
          const names = current.mutes.map(mute => mute.browser);
          expect(new Set(names).size).toBe(names.length);
          expect(names.includes(browser)).toBe(isMuted);
          expect(current.mutes.map(({ until }) => until)).toEqual(
            current.mutes.map(({ until }) => until).sort((a, b) => a - b),
          );
          expect(current.mutes.every(({ until }) => until > now)).toBe(true);
        }
      }),
    );
  });
});
