import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { DeclineReason, LinkedPlayerResponse, PlayerData } from "../../client/index.ts";
import type { Fault } from "../platform/texts.ts";
import { type Call, type LinkEvent, type LinkState, LOADING, linkReducer } from "./link-state.ts";

const IDLE: Call = { is: "idle" };
const RUNNING: Call = { is: "running" };
const OFFLINE: Fault = { code: "player_offline", subject: "Nobody" };
const GONE: Fault = { code: "unreachable" };
const FAILED: Call = { is: "failed", fault: OFFLINE };
const NAMELESS: Call = { is: "failed", fault: { code: "missing_username" } };
const request = { name: "Steve", until: 120_000 };
const code = "faa3b7a4";
const steve = { name: "Steve", uuid: "u", health: 20, deaths: 0, playerKills: 0, playtimeSeconds: 3 };

/** A state in which the answer to request 1 is shown, and one that the answer to request 2 leads to. */
type VisibleState = LinkState extends infer S
  ? S extends LinkState
    ? Omit<S, "latestSeq" | "readFault">
    : never
  : never;
const first = (before: VisibleState, readFault?: Fault): LinkState => ({
  ...before,
  readFault,
  latestSeq: 1,
});
const second = (before: VisibleState, readFault?: Fault): LinkState => ({
  ...first(before, readFault),
  latestSeq: 2,
});

const notLinked = (call: Call = IDLE): VisibleState => ({ is: "not_linked", call });
const declined = (call: Call = IDLE, reason?: DeclineReason): VisibleState => ({
  is: "declined",
  code,
  reason,
  call,
});
const pending = (call: Call = IDLE, of: typeof request | undefined = request): VisibleState => ({
  is: "pending",
  code,
  request: of,
  call,
});
const accepted = (call: Call = IDLE, isReplacing = false, player?: PlayerData): VisibleState => ({
  is: "accepted",
  player,
  isReplacing,
  call,
});

const read = (link: LinkedPlayerResponse, retained?: typeof request): LinkEvent => ({
  is: "read",
  seq: 2,
  link,
  code,
  request: retained,
});
const unread: LinkEvent = { is: "read_failed", seq: 2, fault: GONE };
const began: LinkEvent = { is: "call_began" };
const failed: LinkEvent = { is: "call_failed", seq: 2, fault: OFFLINE };
const requested: LinkEvent = { is: "requested", seq: 2, code, request };
const ended: LinkEvent = { is: "ended", seq: 2 };
const replacingBegan: LinkEvent = { is: "replacing_began" };
const nameMissing: LinkEvent = { is: "name_missing" };
const nameChanged: LinkEvent = { is: "name_changed" };

const STILL: VisibleState[] = [
  { is: "loading" },
  notLinked(),
  notLinked(FAILED),
  pending(),
  declined(),
  declined(FAILED),
  accepted(),
  accepted(FAILED, true, steve),
];
/** Where calls can be made. */
const CALLERS = [notLinked, pending, declined, accepted, (call: Call) => accepted(call, true)];
const BUSY = CALLERS.map(of => of(RUNNING));
const WITHOUT_CALL: VisibleState[] = [{ is: "loading" }];

describe("the state read from the service", () => {
  it.each(STILL)("replaces the state: %j", before => {
    const afterRead = (link: LinkedPlayerResponse, retained?: typeof request) =>
      linkReducer(first(before, GONE), read(link, retained));
    const call = (is: string): Call => ("call" in before && before.is === is ? before.call : IDLE);
    const isReplacing = before.is === "accepted" && before.isReplacing;
    expect(afterRead({ status: "not_linked" })).toEqual(second(notLinked(call("not_linked"))));
    expect(afterRead({ status: "declined" })).toEqual(second(declined(call("declined"))));
    expect(afterRead({ status: "accepted" })).toEqual(second(accepted(call("accepted"), isReplacing)));
    expect(afterRead({ status: "accepted", playerData: steve })).toEqual(
      second(accepted(call("accepted"), isReplacing, steve)),
    );
    expect(afterRead({ status: "pending" }, request)).toEqual(second(pending(call("pending"))));
    expect(afterRead({ status: "pending" })).toEqual(
      second({
        ...{ is: "pending", code, request: before.is === "pending" ? request : undefined },
        call: call("pending"),
      }),
    );
  });

  it("names the newest request that the tabs know", () => {
    const next = { name: "Alex", until: 240_000 };
    expect(linkReducer(first(pending()), read({ status: "pending" }, next))).toEqual(
      second(pending(IDLE, next)),
    );
  });

  it("says why a request was declined, if the service knows", () => {
    for (const reason of ["declined", "timed_out", "same_characters", undefined] as const)
      expect(linkReducer(first(pending()), read({ status: "declined", ...(reason && { reason }) }))).toEqual(
        second(declined(IDLE, reason)),
      );
  });

  it.each(STILL)("stays when it cannot be read any more: %j", before => {
    expect(linkReducer(first(before), unread)).toEqual(second(before, GONE));
  });

  it.each(BUSY)("changes nothing during a call: %j", before => {
    for (const event of [read({ status: "pending" }, request), read({ status: "declined" }), unread])
      expect(linkReducer(first(before), event)).toEqual(first(before));
  });

  it("changes nothing when it was sent before the visible state", () => {
    const before = second(pending());
    for (const event of [read({ status: "not_linked" }), unread, failed, ended])
      expect(linkReducer(before, event)).toBe(before);
  });
});

describe("a call", () => {
  it.each(CALLERS)("begins where it can be made, and forgets why the last failed", of => {
    for (const call of [IDLE, FAILED, RUNNING])
      expect(linkReducer(first(of(call)), began)).toEqual(first(of(RUNNING)));
  });

  it.each(CALLERS)("ends with the link that it makes, or with why it made none", of => {
    expect(linkReducer(first(of(RUNNING), GONE), requested)).toEqual(second(pending()));
    expect(linkReducer(first(of(RUNNING), GONE), ended)).toEqual(second(notLinked()));
    expect(linkReducer(first(of(RUNNING), GONE), failed)).toEqual(second(of(FAILED), GONE));
  });

  it.each(WITHOUT_CALL)("neither begins nor fails where none can be made: %j", before => {
    for (const event of [began, failed, nameMissing])
      expect(linkReducer(first(before), event)).toEqual(first(before));
  });

  it.each(STILL)("does not end where none was begun: %j", before => {
    for (const event of [requested, ended, failed])
      expect(linkReducer(first(before), event)).toEqual(first(before));
  });

  it.each(CALLERS)("is not made without a name", of => {
    for (const call of [IDLE, FAILED])
      expect(linkReducer(first(of(call)), nameMissing)).toEqual(first(of(NAMELESS)));
    expect(linkReducer(first(of(RUNNING)), nameMissing)).toEqual(first(of(RUNNING)));
  });
});

describe("a change of the name", () => {
  it.each(CALLERS)("clears why the last request failed, and nothing else", of => {
    expect(linkReducer(first(of(FAILED), GONE), nameChanged)).toEqual(first(of(IDLE), GONE));
    for (const call of [IDLE, RUNNING])
      expect(linkReducer(first(of(call)), nameChanged)).toEqual(first(of(call)));
  });
});

describe("the form that replaces a link", () => {
  it("opens for an accepted link, and for nothing else", () => {
    expect(linkReducer(first(accepted(FAILED)), replacingBegan)).toEqual(first(accepted(FAILED, true)));
    for (const before of [...STILL.filter(({ is }) => is !== "accepted"), ...BUSY])
      expect(linkReducer(first(before), replacingBegan)).toEqual(first(before));
  });
});

const KEYS: Record<LinkState["is"], string[]> = {
  loading: [],
  not_linked: ["call"],
  pending: ["call", "code", "request"],
  declined: ["call", "code", "reason"],
  accepted: ["call", "isReplacing", "player"],
};
const fault = fc.constantFrom(OFFLINE, GONE);
const seq = fc.integer({ min: 1, max: 20 });
const link = fc.constantFrom<LinkedPlayerResponse>(
  { status: "not_linked" },
  { status: "pending" },
  { status: "declined" },
  { status: "declined", reason: "timed_out" },
  { status: "accepted" },
  { status: "accepted", playerData: steve },
);
const events = fc.array(
  fc.oneof(
    fc.record({
      is: fc.constant("read" as const),
      seq,
      link,
      code: fc.constant(code),
      request: fc.constantFrom(undefined, request),
    }),
    fc.record({ is: fc.constantFrom("read_failed" as const, "call_failed" as const), seq, fault }),
    fc.record({
      is: fc.constant("requested" as const),
      seq,
      code: fc.constant(code),
      request: fc.constant(request),
    }),
    fc.record({ is: fc.constant("ended" as const), seq }),
    fc.constantFrom(began, replacingBegan, nameMissing, nameChanged),
  ),
  { maxLength: 40 },
);
const callOf = (state: LinkState): Call => ("call" in state ? state.call : IDLE);

describe("any sequence of events", () => {
  it("reaches only consistent states, and never returns to loading", () => {
    fc.assert(
      fc.property(events, all => {
        let state = LOADING;
        for (const event of all) {
          const next = linkReducer(state, event);
          const { is, readFault: _, latestSeq, ...rest } = next;
          expect(Object.keys(rest).sort()).toEqual(KEYS[is]);
          expect(is === "loading" && state.is !== "loading").toBe(false);
          expect(latestSeq).toBeGreaterThanOrEqual(state.latestSeq);
          state = next;
        }
      }),
    );
  });

  it("ignores answers to older requests, and reads during a call", () => {
    fc.assert(
      fc.property(events, all => {
        let state = LOADING;
        for (const event of all) {
          const next = linkReducer(state, event);
          const isOld = "seq" in event && event.seq <= state.latestSeq;
          const isRead = event.is === "read" || event.is === "read_failed";
          if (isOld || (isRead && callOf(state).is === "running")) expect(next).toBe(state);
          state = next;
        }
      }),
    );
  });

  it("ends a call only by its own response, and shows its error only in the same link state", () => {
    const ends = ["call_failed", "requested", "ended"];
    fc.assert(
      fc.property(events, all => {
        let state = LOADING;
        for (const event of all) {
          const next = linkReducer(state, event);
          const [before, after] = [callOf(state).is, callOf(next).is];
          if (before === "running" && after !== "running") expect(ends).toContain(event.is);
          if (before !== "running" && after === "running") expect(event.is).toBe("call_began");
          if (after === "failed") expect(next.is).toBe(state.is);
          state = next;
        }
      }),
    );
  });
});
