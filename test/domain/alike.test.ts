import { describe, expect, it } from "@jest/globals";
import * as rules from "../../sidecar/features/linking/rules/player-requests.ts";

const MINUTE = 60_000;
const LIFE = 2 * MINUTE;
const ASKING = { request: "r", from: ["address", "session"], lifeMs: 10_000, online: true };
const NOW = 1_000_000_000;
const withCoolDown = (coolDownMs: number): rules.RequestRules => ({ coolDownMs, perMinute: 10 });

describe("characters that two sessions have shown a player", () => {
  it.each([30_000, 0])("are held back to the millisecond, with a cool-down of %i ms", coolDownMs => {
    const own = withCoolDown(coolDownMs);
    const { record, answer } = rules.alike(rules.NO_REQUESTS, "0123abcd", NOW, LIFE, own);
    expect(answer).toBe(LIFE);
    const ask = (browser: string, at: number) => rules.admit(record, { ...ASKING, browser }, at, own).answer;
    expect(ask("0123abcd", NOW + LIFE - 1)).toEqual({ by: "same-browser", waitMs: 1 });
    expect([ask("0123abcd", NOW + LIFE), ask("0123abce", NOW)]).toEqual(["admitted", "admitted"]);
  });

  it("wait twice as long the next time, up to an hour, and once for both requests that find it out", () => {
    const waits: number[] = [];
    let [asked, now] = [rules.NO_REQUESTS, NOW];
    for (let i = 0; i < 7; i++) {
      const first = rules.alike(asked, "0123abcd", now, LIFE, withCoolDown(30_000));
      const second = rules.alike(first.record, "0123abcd", now + 1, LIFE, withCoolDown(30_000));
      expect(second.answer).toBe(first.answer - 1);
      waits.push(first.answer / MINUTE);
      asked = second.record;
      now += first.answer;
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60]);
  });
});
