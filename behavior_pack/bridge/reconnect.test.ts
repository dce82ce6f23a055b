import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { PATHS } from "../../shared/frames.ts";
import { away, playground, started } from "../testing/harness.ts";
import {
  afterFailure,
  afterHello,
  type ConnectionState,
  type FailedRequest,
  MAX_AWAY_WAIT_TICKS,
  MAX_WAIT_TICKS,
  REPLACED_WAIT_TICKS,
  type RequestKind,
  type Session,
  sessionOf,
  waitTicks,
} from "./reconnect.ts";

const endpoint = { url: "", post: () => new Promise<never>(() => {}) };
const session: Session = { id: "s", json: '"s"', endpoint, after: 7, polling: true, sending: false };
const TICK = 100;

const STATES = {
  waiting: { is: "waiting", until: 90, session },
  "waiting for long": { is: "waiting", until: 500, session },
  greeting: { is: "greeting", session },
  live: { is: "live", session, pollAt: 0, factsAt: 0 },
  replaced: { is: "replaced", until: 500 },
  stopped: { is: "stopped" },
} as const satisfies Record<string, ConnectionState>;

const failed = (kind: RequestKind, code: FailedRequest["code"], failures: number): FailedRequest => ({
  kind,
  code,
  failures,
  tick: TICK,
  random: () => 0.5,
});

type Row = [keyof typeof STATES, RequestKind, FailedRequest["code"], number, ConnectionState];

describe("the state after a failed request", () => {
  it.each<Row>([
    ["live", "poll", "no_answer", 1, { ...STATES.live, pollAt: TICK + 4 }],
    ["live", "facts", "no_answer", 1, { ...STATES.live, factsAt: TICK + 4 }],
    ["live", "facts", "malformed", 1, { ...STATES.live, factsAt: TICK + 4 }],
    ["live", "poll", "no_answer", 2, { is: "waiting", until: TICK + 8, session }],
    ["live", "poll", "unauthorized", 1, { is: "waiting", until: TICK + 4, session }],
    ["live", "poll", "wire_mismatch", 1, { is: "waiting", until: TICK + 4, session }],
    ["live", "poll", "unknown_session", 1, { is: "waiting", until: TICK, session: undefined }],
    ["live", "facts", "unknown_session", 2, { is: "waiting", until: TICK + 8, session: undefined }],
    ["live", "facts", "unknown_session", 20, { is: "waiting", until: TICK + 30, session: undefined }],
    ["live", "poll", "no_answer", 20, { is: "waiting", until: TICK + MAX_AWAY_WAIT_TICKS, session }],
    ["live", "poll", "other_status", 20, { is: "waiting", until: TICK + MAX_AWAY_WAIT_TICKS, session }],
    ["live", "poll", "unexpected_result", 20, { is: "waiting", until: TICK + MAX_WAIT_TICKS, session }],
    ["greeting", "hello", "unauthorized", 20, { is: "waiting", until: TICK + MAX_WAIT_TICKS, session }],
    ["live", "facts", "session_replaced", 1, { is: "replaced", until: TICK + REPLACED_WAIT_TICKS }],
    ["greeting", "hello", "no_answer", 3, { is: "waiting", until: TICK + 16, session }],
    ["greeting", "hello", "session_replaced", 1, { is: "replaced", until: TICK + REPLACED_WAIT_TICKS }],
    ["greeting", "poll", "no_answer", 5, STATES.greeting],
    ["greeting", "poll", "session_replaced", 1, { is: "greeting", session: undefined }],
    ["waiting", "poll", "no_answer", 2, { is: "waiting", until: TICK + 8, session }],
    ["waiting for long", "poll", "no_answer", 2, STATES["waiting for long"]],
    ["waiting for long", "poll", "unknown_session", 1, { is: "waiting", until: 500, session: undefined }],
    ["waiting", "facts", "session_replaced", 1, { is: "replaced", until: TICK + REPLACED_WAIT_TICKS }],
    ["stopped", "hello", "unauthorized", 1, STATES.stopped],
  ])("%s, %s, %s for the %ith time", (state, kind, code, failures, expected) => {
    expect(afterFailure(STATES[state], failed(kind, code, failures))).toEqual(expected);
  });
});

describe("the state after the answer to a hello", () => {
  it("resumes a session with the same id, at the address of the hello", () => {
    const moved = { ...endpoint, url: "http://moved" };
    const { session: next, pollAt, factsAt } = afterHello(STATES.greeting, "s", moved, TICK);
    expect(next).toBe(session);
    expect([next.after, next.endpoint, pollAt, factsAt]).toEqual([7, moved, TICK, TICK]);
  });

  it("starts any other session fresh", () => {
    const { session: next } = afterHello(STATES.greeting, "other", endpoint, TICK);
    expect(next).toEqual({
      id: "other",
      json: '"other"',
      endpoint,
      after: 0,
      polling: false,
      sending: false,
    });
  });
});

describe("after any failures, in any order", () => {
  const CODES = ["no_answer", "malformed", "unauthorized", "unknown_session", "session_replaced"] as const;
  const happening = fc.record({
    kind: fc.constantFrom<RequestKind>("hello", "poll", "facts"),
    code: fc.constantFrom<FailedRequest["code"]>(...CODES),
    failures: fc.integer({ min: 1, max: 40 }),
    welcomed: fc.boolean(),
  });

  it("the next hello is due in time, and no session lost by the sidecar is resumed", () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), happenings => {
        let state: ConnectionState = { is: "waiting", until: 0, session: undefined };
        happenings.forEach(({ kind, code, failures, welcomed }, i) => {
          const tick = i * 10;
          if (welcomed) state = afterHello(state, `${i}`, endpoint, tick);
          else if (kind === "hello") state = { is: "greeting", session: sessionOf(state) };
          const before = sessionOf(state);
          state = afterFailure(state, { kind, code, failures, tick, random: () => 0.99 });
          const forgotten = code === "unknown_session" || code === "session_replaced";
          expect(sessionOf(state)).toBe(forgotten ? undefined : before);
          if (state.is === "waiting") expect(state.until).toBeLessThanOrEqual(tick + REPLACED_WAIT_TICKS);
          if (state.is === "waiting" && code !== "unknown_session") expect(state.until).toBeGreaterThan(tick);
          if (state.is === "live")
            expect(Math.max(state.pollAt, state.factsAt)).toBeLessThanOrEqual(tick + MAX_WAIT_TICKS);
        });
      }),
    );
  });
});

describe("back-off", () => {
  it("[RETRY-2] starts at about four ticks, doubles, and never exceeds 15 s, or 1.5 s", () => {
    expect([1, 2, 3, 4].map(failures => waitTicks(failures, () => 0.5))).toEqual([4, 8, 16, 32]);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (n, chance) => {
          const wait = waitTicks(n, () => chance);
          expect(wait).toBeGreaterThanOrEqual(3);
          expect(wait).toBeLessThanOrEqual(MAX_WAIT_TICKS);
          expect(waitTicks(n, () => chance, MAX_AWAY_WAIT_TICKS)).toBeLessThanOrEqual(MAX_AWAY_WAIT_TICKS);
        },
      ),
    );
  });
});

type Game = ReturnType<typeof playground>;

/** Starts a new sidecar; returns after how many ticks the pack has a session. */
async function back(game: Game): Promise<number> {
  const { sidecar } = game;
  sidecar.mode = "ok";
  sidecar.session += "+";
  const hellos = sidecar.hellos.length;
  let ticks = 0;
  while (sidecar.hellos.length === hellos && ticks < 1000) {
    await game.tick();
    ticks++;
  }
  return ticks;
}

describe("a sidecar that is back", () => {
  it("[RETRY-7] gets a session within two seconds, however long it was offline", async () => {
    const ticks = fc.integer({ min: 1, max: 1500 });
    await fc.assert(
      fc.asyncProperty(ticks, async outage => {
        const game = await started();
        await away(game, outage);
        expect(await back(game)).toBeLessThanOrEqual(40);
      }),
      { numRuns: 25 },
    );
  });

  it("[RETRY-6] is found as quickly the sixth time within twenty seconds as the first time", async () => {
    const game = await started();
    const took: number[] = [];
    for (let i = 0; i < 6; i++) {
      await game.tick(40);
      await away(game, 5);
      took.push(await back(game));
    }
    expect(took).toEqual(Array(6).fill(took[0]));
    expect(took[0]).toBeLessThanOrEqual(10);
  });
});

describe("a sidecar that answers hello and nothing else", () => {
  /** Number of hellos in each of the given number of ten-second spans. */
  async function hellos(status: number, error: string, spans: number): Promise<number[]> {
    const game = playground();
    const { sidecar } = game;
    const fail = ({ path }: { path: string }) => {
      if (path === PATHS.hello) return undefined;
      sidecar.answers.push(fail);
      return { status, body: JSON.stringify({ error }) };
    };
    sidecar.answers.push(fail, fail);
    game.pack.begin();
    const counts: number[] = [];
    for (let i = 0; i < spans; i++) {
      const before = sidecar.hellos.length;
      await game.tick(200);
      counts.push(sidecar.hellos.length - before);
    }
    return counts;
  }

  it.each([
    ["with a proxy error", 502, "bad_gateway"],
    ["with an unknown session", 409, "unknown_session"],
  ])(
    "[RETRY-6] eventually gets a hello every 1.5 s if it answers the rest %s",
    async (_how, status, error) => {
      const counts = await hellos(status, error, 4);
      expect(counts[0]).toBeLessThanOrEqual(12);
      for (const count of counts.slice(1)) expect([5, 6, 7]).toContain(count);
    },
  );

  it("[RETRY-6] eventually gets a hello every 15 s if it rejects the rest", async () => {
    const counts = await hellos(500, "unexpected_result", 9);
    expect(counts.slice(4).every(count => count <= 1)).toBe(true);
  });
});
