import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import * as rules from "./player-requests.ts";

const RULES: rules.RequestRules = { coolDownMs: 30_000, perMinute: 10 };
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const LIFE = 2 * MINUTE;
const ON_THE_WAY = 10 * SECOND;

/** The stored requests for one player, and a clock. */
class Player {
  state = rules.NO_REQUESTS;
  now = 1_000_000_000;
  #last = 0;
  readonly own: rules.RequestRules;

  constructor(own: rules.RequestRules = RULES) {
    this.own = own;
  }

  wait(ms: number): void {
    this.now += ms;
  }

  /** Sends a request on its way; its name, or why it has to wait. */
  ask(from: string[] = ["address", "session"], online = true): string | rules.RequestLimit {
    this.#last++;
    const request = `r${this.#last}`;
    const asking = { request, from, browser: "12345678", lifeMs: ON_THE_WAY, online };
    const { record, answer } = rules.admit(this.state, asking, this.now, this.own);
    this.state = record;
    return answer === "admitted" ? request : answer;
  }

  /** Sends a request, and it reaches the player. */
  open(from?: string[]): string {
    const request = this.ask(from);
    if (typeof request !== "string") throw new Error(`${request.by} for ${request.waitMs} ms`);
    this.state = rules.opened(this.state, request, LIFE, this.now);
    return request;
  }

  answer(request: string, accepted: boolean): void {
    this.state = rules.answered(this.state, request, accepted, this.now, this.own);
  }

  decline(times: number, from?: string[]): void {
    for (let i = 0; i < times; i++) {
      this.answer(this.open(from), false);
      this.wait(7 * SECOND);
    }
  }
}

const coolDown = (waitMs: number) => ({ by: "cool-down", waitMs });

describe("the cool-down of an address and of a session", () => {
  it("begins with the third refusal and ends to the millisecond", () => {
    const steve = new Player();
    steve.decline(2);
    steve.answer(steve.open(), false);
    expect(steve.ask()).toEqual(coolDown(30 * SECOND));
    steve.wait(30 * SECOND - 1);
    expect(steve.ask()).toEqual(coolDown(1));
    steve.wait(1);
    expect(steve.ask()).toEqual(expect.any(String));
  });

  it("doubles with each further request that is not accepted, up to an hour, from its end", () => {
    const steve = new Player();
    steve.decline(2);
    const waits: number[] = [];
    for (let i = 0; i < 10; i++) {
      steve.answer(steve.open(), false);
      const rejected = steve.ask();
      if (typeof rejected === "string") throw new Error("not rejected");
      waits.push(rejected.waitMs / SECOND);
      steve.wait(rejected.waitMs);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  });

  it("counts requests that timed out, at their deadlines", () => {
    const steve = new Player();
    steve.decline(1, ["address", "session"]);
    for (let i = 0; i < 2; i++) steve.open(["address", `session ${i}`]);
    steve.wait(LIFE - 1);
    expect(steve.ask(["address", "another"])).toEqual({ by: "open-forms", waitMs: 1 });
    steve.wait(1 + 10 * SECOND);
    expect(steve.ask(["address", "another"])).toEqual(coolDown(20 * SECOND));
  });

  it("counts what an address did with other sessions, and a session at other addresses", () => {
    const steve = new Player();
    for (let i = 0; i < 3; i++) steve.decline(1, ["a", `s${i}`]);
    expect(steve.ask(["a", "new"])).toMatchObject({ by: "cool-down" });
    expect(steve.ask(["b", "s1"])).toEqual(expect.any(String));
    for (let i = 0; i < 3; i++) steve.decline(1, [`a${i}`, "s"]);
    expect(steve.ask(["c", "s"])).toMatchObject({ by: "cool-down" });
  });

  it("does not start if three requests ended over more than ten minutes", () => {
    const steve = new Player();
    steve.decline(2);
    steve.wait(10 * MINUTE);
    steve.decline(2);
    expect(steve.ask()).toEqual(expect.any(String));
  });

  it("is reset only for the session and address whose request is accepted", () => {
    const steve = new Player();
    const open = steve.open(["a", "s"]);
    for (let i = 0; i < 3; i++) steve.answer(steve.open(["a", `other ${i}`]), false);
    for (let i = 0; i < 3; i++) steve.answer(steve.open(["b", `third ${i}`]), false);
    expect(steve.ask(["a", "s"])).toMatchObject({ by: "cool-down" });
    steve.answer(open, true);
    expect(steve.ask(["a", "s"])).toEqual(expect.any(String));
    expect(steve.ask(["b", "s"])).toMatchObject({ by: "cool-down" });
  });

  it("never starts if it is turned off", () => {
    const steve = new Player({ coolDownMs: 0, perMinute: 1_000 });
    steve.decline(50);
    expect(steve.ask()).toEqual(expect.any(String));
    expect(steve.state.sources).toEqual([]);
  });
});

describe("the requests of one address that wait for one player", () => {
  const openForms = (waitMs: number) => ({ by: "open-forms", waitMs });

  it("are at most two, until one of them ends, and do not block other addresses", () => {
    const steve = new Player();
    const first = steve.open(["address", "s1"]);
    steve.wait(SECOND);
    steve.open(["address", "s2"]);
    expect(steve.ask(["address", "s3"])).toEqual(openForms(LIFE - SECOND));
    expect(steve.ask(["other", "s3"])).toEqual(expect.any(String));
    steve.answer(first, true);
    steve.open(["address", "s3"]);
    expect(steve.ask(["address", "s4"])).toEqual(openForms(LIFE));
    steve.wait(LIFE);
    expect(steve.ask(["address", "s4"])).toEqual(expect.any(String));
  });

  it("are no more even if several are sent at the same time", () => {
    const steve = new Player();
    const results = [1, 2, 3].map(i => steve.ask(["address", `s${i}`]));
    expect(results.map(each => typeof each)).toEqual(["string", "string", "object"]);
    steve.state = rules.cancel(steve.state, String(results[0]));
    expect(steve.ask(["address", "s3"])).toEqual(expect.any(String));
  });

  it("are no more even if the player was not listed", () => {
    const steve = new Player();
    const results = [1, 2, 3].map(i => String(steve.ask(["address", `s${i}`], false)));
    const waits = results.map(request => {
      const full = rules.reachedLimit(steve.state, steve.now, RULES, { own: request });
      if (!full) steve.state = rules.opened(steve.state, request, LIFE, steve.now);
      return full;
    });
    expect(waits).toEqual([undefined, undefined, openForms(LIFE)]);
  });
});

describe("the requests for one player within a minute", () => {
  it("are limited for all requesters together, and the wait is exact", () => {
    const steve = new Player();
    for (let i = 0; i < 10; i++) {
      steve.open([`a${i}`, `s${i}`]);
      steve.wait(SECOND);
    }
    expect(steve.ask(["a", "s"])).toEqual({ by: "player-rate", waitMs: 50 * SECOND });
    steve.wait(50 * SECOND);
    steve.open(["a", "s"]);
    expect(steve.ask(["b", "t"])).toEqual({ by: "player-rate", waitMs: SECOND });
  });

  it("do not count if they did not reach the player", () => {
    const steve = new Player();
    for (let i = 0; i < 50; i++) {
      const request = steve.ask([`a${i}`, `s${i}`]);
      expect(request).toEqual(expect.any(String));
      steve.state = rules.cancel(steve.state, String(request));
    }
    expect(rules.forgetAt(steve.state)).toBe(0);
  });

  it("stay within the limit even if they are sent at the same time", () => {
    const steve = new Player({ ...RULES, perMinute: 2 });
    const results = [steve.ask(["a"]), steve.ask(["b"]), steve.ask(["c"])];
    expect(results.map(each => typeof each)).toEqual(["string", "string", "object"]);
  });

  it("do not hold up others if the player is unknown", () => {
    const nobody = new Player({ ...RULES, perMinute: 1 });
    for (let i = 0; i < 20; i++) expect(nobody.ask([`a${i}`], false)).toEqual(expect.any(String));
    nobody.wait(ON_THE_WAY);
    expect(rules.expire(nobody.state, nobody.now, RULES)).toEqual(rules.NO_REQUESTS);
  });
});

/** Something that happens to one player. */
const event = fc.oneof(
  fc.record({
    do: fc.constant("ask" as const),
    address: fc.constantFrom("a1", "a2"),
    session: fc.constantFrom("s1", "s2", "s3"),
  }),
  fc.record({ do: fc.constant("answer" as const), nth: fc.nat(5), accepted: fc.boolean() }),
  fc.record({ do: fc.constant("decline" as const), nth: fc.nat(5) }),
  fc.record({ do: fc.constant("wait" as const), ms: fc.oneof(fc.nat(20_000), fc.nat(2 * HOUR)) }),
);

describe("after any events", () => {
  it("the limits hold, no source counts for another, and a rejected request changes nothing", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), events => {
        const own = { coolDownMs: 30 * SECOND, perMinute: 4 };
        const steve = new Player(own);
        let open: { request: string; from: string[]; until: number }[] = [];
        const opened: number[] = [];
        /** ends of refusals since the last acceptance, by source */
        const refusals = new Map<string, number[]>();
        const refuse = (from: string[], at: number): void => {
          for (const each of from) refusals.set(each, [...(refusals.get(each) ?? []), at]);
        };
        for (const one of events) {
          for (const ended of open.filter(({ until }) => until <= steve.now)) refuse(ended.from, ended.until);
          open = open.filter(({ until }) => until > steve.now);
          if (one.do === "wait") steve.wait(one.ms);
          else if (one.do === "ask") {
            const from = [one.address, one.session];
            const before = rules.expire(steve.state, steve.now, own);
            const answer = steve.ask(from);
            const recent = opened.filter(at => steve.now - at < MINUTE).length;
            if (typeof answer === "string") {
              steve.state = rules.opened(steve.state, answer, LIFE, steve.now);
              open.push({ request: answer, from, until: steve.now + LIFE });
              opened.push(steve.now);
              expect(recent).toBeLessThan(own.perMinute);
              for (const each of from)
                expect(open.filter(({ from }) => from.includes(each)).length).toBeLessThanOrEqual(2);
              for (const each of from) {
                const ends = refusals.get(each) ?? [];
                const last = Math.max(Number.NEGATIVE_INFINITY, ...ends);
                const close = ends.filter(end => last - end < 10 * MINUTE).length;
                if (close >= 3) expect(steve.now - last).toBeGreaterThanOrEqual(own.coolDownMs);
              }
            } else {
              expect(steve.state).toEqual(before);
              expect(answer.waitMs).toBeGreaterThan(0);
              const ofAddress = open.filter(each => each.from.includes(one.address)).length;
              const ofSession = open.filter(each => each.from.includes(one.session)).length;
              if (answer.by === "player-rate") expect(recent).toBe(own.perMinute);
              else if (answer.by === "open-forms") expect(Math.max(ofAddress, ofSession)).toBe(2);
              else {
                expect(answer.waitMs).toBeLessThanOrEqual(HOUR);
                expect(Math.max(...from.map(each => refusals.get(each)?.length ?? 0))).toBeGreaterThan(2);
              }
            }
          } else {
            const target = open[one.nth];
            if (target === undefined) continue;
            const accepted = one.do === "answer" && one.accepted;
            steve.answer(target.request, accepted);
            open = open.filter(other => other !== target);
            if (accepted) for (const each of target.from) refusals.delete(each);
            else refuse(target.from, steve.now);
          }
        }
        // With time everything is forgotten.
        const later = Math.max(rules.forgetAt(steve.state), steve.now);
        expect(rules.expire(rules.expire(steve.state, later, own), later + 2 * HOUR, own)).toEqual(
          rules.NO_REQUESTS,
        );
      }),
      { numRuns: 500 },
    );
  });

  it("a flood does not shorten a cool-down, and takes bounded space", () => {
    const steve = new Player({ coolDownMs: 30 * SECOND, perMinute: 1_000 });
    for (let i = 0; i < 6; i++) {
      const request = steve.ask(["bad", "worse"]);
      if (typeof request !== "string") throw new Error("rejected");
      steve.state = rules.opened(steve.state, request, LIFE, steve.now);
      steve.answer(request, false);
      const rejected = steve.ask(["bad", "worse"]);
      if (typeof rejected === "string") steve.state = rules.cancel(steve.state, rejected);
      else if (i < 5) steve.wait(rejected.waitMs);
    }
    for (let i = 0; i < 2_000; i++) {
      steve.wait(70);
      const request = steve.ask([`a${i}`, `s${i}`]);
      if (typeof request !== "string") throw new Error("rejected");
      steve.state = rules.opened(steve.state, request, LIFE, steve.now);
      steve.answer(request, false);
    }
    expect(steve.ask(["bad"])).toMatchObject({ by: "cool-down" });
    expect(steve.state.sources.length).toBeLessThanOrEqual(256);
    expect(JSON.stringify(steve.state).length).toBeLessThan(200_000);
  });
});

const ASKING = { request: "r", from: ["address", "session"], lifeMs: 10_000, online: true };
const NOW = 1_000_000_000;
const withCoolDown = (coolDownMs: number): rules.RequestRules => ({ coolDownMs, perMinute: 10 });

describe("characters that two sessions have shown a player", () => {
  it.each([30_000, 0])("have to wait to the millisecond, with a cool-down of %i ms", coolDownMs => {
    const own = withCoolDown(coolDownMs);
    const { record, answer } = rules.conflict(rules.NO_REQUESTS, "0123abcd", NOW, LIFE, own);
    expect(answer).toBe(LIFE);
    const ask = (browser: string, at: number) => rules.admit(record, { ...ASKING, browser }, at, own).answer;
    expect(ask("0123abcd", NOW + LIFE - 1)).toEqual({ by: "same-browser", waitMs: 1 });
    expect([ask("0123abcd", NOW + LIFE), ask("0123abce", NOW)]).toEqual(["admitted", "admitted"]);
  });

  it("wait twice as long the next time, up to an hour, counted once for both requests", () => {
    const waits: number[] = [];
    let [state, now] = [rules.NO_REQUESTS, NOW];
    for (let i = 0; i < 7; i++) {
      const first = rules.conflict(state, "0123abcd", now, LIFE, withCoolDown(30_000));
      const second = rules.conflict(first.record, "0123abcd", now + 1, LIFE, withCoolDown(30_000));
      expect(second.answer).toBe(first.answer - 1);
      waits.push(first.answer / MINUTE);
      state = second.record;
      now += first.answer;
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60]);
  });
});
