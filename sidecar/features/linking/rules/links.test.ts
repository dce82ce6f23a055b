import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { check } from "../../../../shared/guard.ts";
import * as links from "./links.ts";

const steve: links.LinkedPlayer = { id: "-1", persistentId: "p1", name: "Steve", uuid: "u1" };
/** A link that was ended. */
const ENDED: links.LinkRecord = { link: { status: "not_linked", until: 9 } };
const KEEP = 1_000_000;
const asking = (request: string, now: number): links.SentRequest => ({
  request,
  until: now + 10_000,
  deadline: now + 120_000,
});

/** A record brought to a state by the steps that lead there. */
const at = {
  not_linked: links.NO_LINK,
  asking: links.begin(links.NO_LINK, asking("r1", 0), 0).record,
  pending: links.playerFound(links.begin(links.NO_LINK, asking("r1", 0), 0).record, "r1", steve, 50).record,
  get accepted() {
    return links.answer(this.pending, "r1", true, 100, KEEP).record;
  },
  get declined() {
    return links.answer(this.pending, "r1", false, 100, KEEP).record;
  },
};

describe("link rules", () => {
  it.each([
    ["not_linked", "begun"],
    ["asking", "already_pending"],
    ["pending", "already_pending"],
    ["declined", "begun"],
    ["accepted", "begun"],
  ] as const)("answers a request of a session that is %s with %s", (state, answer) => {
    expect(links.begin(at[state], asking("r2", 200), 200).answer).toBe(answer);
  });

  it.each(["not_linked", "declined", "accepted"] as const)(
    "leaves a session %s as it was until the game has found the player",
    state => {
      expect(links.begin(at[state], asking("r2", 200), 200).record.link).toEqual(at[state].link);
    },
  );

  it.each(["declined", "accepted"] as const)("ends a link that was %s once the player is found", state => {
    const relinking = links.begin(at[state], asking("r2", 200), 200).record;
    expect(links.playerFound(relinking, "r2", steve, 250).record).toEqual({
      link: { status: "pending", request: "r2", player: steve, deadline: 120_200 },
    });
  });

  it("has the present name of a linked player whom a sign-in asks again", () => {
    const signIn = { site: "forum", ask: "one" };
    const sent = links.begin(at.accepted, { ...asking("r2", 200), signIn }, 200).record;
    const { record } = links.playerFound(sent, "r2", { ...steve, id: "-7", name: "Stephen" }, 250);
    expect(links.openRequestOf(record.link)?.player).toEqual({ ...steve, id: "-7", name: "Stephen" });
  });

  it("restores the session's earlier state when the player is offline", () => {
    const relinking = links.begin(at.accepted, asking("r2", 200), 200).record;
    expect(links.cancel(relinking, "r2")).toEqual({ record: at.accepted, answer: "cancelled" });
  });

  it("[FORM-8] does not open a request whose outcome arrives too late", () => {
    expect(links.playerFound(at.asking, "r1", steve, 10_000)).toEqual({ record: at.asking, answer: "stale" });
  });

  it("stays open when the outcome is reported again, as to a sidecar that replaces a killed one", () => {
    expect(links.playerFound(at.pending, "r1", steve, 300)).toEqual({ record: at.pending, answer: 120_000 });
    expect(links.playerFound(at.pending, "r2", steve, 300).answer).toBe("stale");
    expect(links.playerFound(at.pending, "r1", steve, 120_000).answer).toBe("stale");
  });

  it("tries another game server after one that has not opened it", () => {
    const there = { ...asking("r1", 0), server: "lobby" };
    const onThere = links.beginOnNext(at.asking, there, 900);
    expect(onThere).toEqual({ record: { ...links.NO_LINK, asking: there }, answer: "begun" });
    expect(links.beginOnNext(links.cancel(at.asking, "r1").record, there, 900)).toEqual(onThere);
    expect(links.playerFound(onThere.record, "r1", steve, 950).record.link).toEqual({
      ...{ status: "pending", request: "r1", server: "lobby" },
      ...{ player: steve, deadline: 120_000 },
    });
  });

  it.each([
    ["the player has been found after all", "pending", "found"],
    ["it has ended in a conflict", "conflict", "conflict"],
    ["the session has another one by now", "another", "already_pending"],
  ] as const)("tries no other game server if %s", (_why, state, answer) => {
    const records = {
      pending: at.pending,
      conflict: links.endConflict(at.asking, "r1", 900).record,
      another: links.begin(links.NO_LINK, asking("r2", 0), 0).record,
    };
    const record = records[state];
    expect(links.beginOnNext(record, { ...asking("r1", 0), server: "lobby" }, 100)).toEqual({
      record,
      answer,
    });
  });

  it.each([undefined, "lobby"])(
    "[FORM-15] takes reports about a request only from its own game server: %s",
    server => {
      const own = { ...asking("r1", 0), ...(server !== undefined && { server }) };
      const onItsWay = links.begin(links.NO_LINK, own, 0).record;
      const open = links.playerFound(onItsWay, "r1", steve, 50).record;
      for (const record of [onItsWay, open])
        for (const [by, request] of [
          [server, "r1"],
          ["another", "r1"],
          [server === undefined ? "lobby" : undefined, "r1"],
          [server, "r2"],
        ] as const) {
          const step = links.reportedBy(by, request, record, () => ({
            record: links.NO_LINK,
            answer: "done",
          }));
          const isOwn = by === server && request === "r1";
          expect(step).toEqual(
            isOwn ? { record: links.NO_LINK, answer: "done" } : { record, answer: "stale" },
          );
        }
    },
  );

  it("accepts the player's answer at the last millisecond and not one later", () => {
    expect(links.answer(at.pending, "r1", true, 119_999, KEEP).answer).toBe("accepted");
    expect(links.answer(at.pending, "r1", true, 120_000, KEEP).answer).toBe("stale");
  });

  it.each(["not_linked", "asking", "declined", "accepted"] as const)(
    "ignores an answer while the session is %s",
    state => {
      expect(links.answer(at[state], "r1", false, 200, KEEP)).toEqual({ record: at[state], answer: "stale" });
    },
  );

  it.each(["asking", "pending"] as const)(
    "declines a request that is %s and shows the same characters as another one",
    state => {
      const conflict = { link: { status: "declined", until: 900, alike: "r1" } };
      expect(links.endConflict(at[state], "r1", 900)).toEqual({ record: conflict, answer: "ended" });
      expect(links.endConflict(at[state], "r2", 900)).toEqual({ record: at[state], answer: "stale" });
    },
  );

  it("keeps the link that a failed request would have replaced", () => {
    const relinking = links.begin(at.accepted, asking("r2", 200), 200).record;
    expect(links.endConflict(relinking, "r2", 900)).toEqual({ record: at.accepted, answer: "ended" });
    expect(links.endConflict(at.accepted, "r1", 900).answer).toBe("stale");
  });

  it("[FORM-6] ignores an answer to another request", () => {
    expect(links.answer(at.pending, "r0", true, 200, KEEP).answer).toBe("stale");
  });

  it("declines a request at its deadline, and forgets that after the given time", () => {
    expect(links.settle(at.pending, 119_999, KEEP)).toBe(at.pending);
    expect(links.settle(at.pending, 120_000, KEEP).link.status).toBe("declined");
    expect(links.settle(at.pending, 120_000 + KEEP, KEEP).link.status).toBe("not_linked");
  });

  const reason = ({ link }: links.LinkRecord) =>
    link.status === "declined" ? links.declineReason(link) : link.status;

  it("knows whether a request was declined by the player, timed out, or had the same characters as another one", () => {
    expect(reason(at.declined)).toBe("declined");
    expect(reason(links.settle(at.pending, 120_000, KEEP))).toBe("timed_out");
    expect(reason(links.endConflict(at.pending, "r1", 900).record)).toBe("same_characters");
  });

  it("reads declined requests that an earlier version stored without a reason", () => {
    const read = (stored: object) => {
      const record = check(links.linkRecord, stored);
      return "value" in record && reason(record.value);
    };
    expect(read({ link: { status: "declined", until: 900 } })).toBeUndefined();
    expect(read({ link: { status: "declined", until: 900, alike: "r1" } })).toBe("same_characters");
  });

  it("cancels a pending request and nothing else", () => {
    const cancelled = { request: "r1", server: undefined, name: steve.name };
    expect(links.cancelPending(at.pending, 9)).toEqual({ record: ENDED, answer: cancelled });
    for (const state of ["not_linked", "asking", "declined", "accepted"] as const)
      expect(links.cancelPending(at[state], 9)).toEqual({ record: at[state], answer: "no_request" });
  });

  it("unlinks an accepted link and nothing else", () => {
    expect(links.unlink(at.accepted, 9)).toEqual({ record: ENDED, answer: steve });
    for (const state of ["not_linked", "asking", "pending", "declined"] as const)
      expect(links.unlink(at[state], 9)).toEqual({ record: at[state], answer: "not_linked" });
  });

  it("unlinks from one player only", () => {
    expect(links.unlinkFrom(at.accepted, steve.uuid, 9)).toEqual({ record: ENDED, answer: steve });
    expect(links.unlinkFrom(at.accepted, "another", 9)).toEqual({
      record: at.accepted,
      answer: "not_linked",
    });
    for (const state of ["not_linked", "asking", "pending", "declined"] as const)
      expect(links.unlinkFrom(at[state], steve.uuid, 9)).toEqual({ record: at[state], answer: "not_linked" });
  });

  it("keeps a sent request when the link before it ends", () => {
    const relinking = links.begin(at.accepted, asking("r2", 200), 200).record;
    expect(links.openRequest(links.unlink(relinking, 900).record)).toBe("r2");
  });

  it("holds its invariants under any sequence of steps", () => {
    const request = fc.constantFrom("r1", "r2", "r3");
    const step = fc.oneof(
      fc.record({ do: fc.constant("ask" as const), request }),
      fc.record({ do: fc.constant("found" as const), request }),
      fc.record({ do: fc.constant("cancel" as const), request }),
      fc.record({ do: fc.constant("answer" as const), request, accepted: fc.boolean() }),
      fc.record({ do: fc.constantFrom("unlink" as const, "cancelPending" as const) }),
      fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 200_000 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        let record = links.NO_LINK;
        let now = 0;
        for (const one of steps) {
          const before = links.settle(record, now, KEEP);
          if (one.do === "wait") now += one.ms;
          else if (one.do === "ask") record = links.begin(before, asking(one.request, now), now).record;
          else if (one.do === "found") record = links.playerFound(before, one.request, steve, now).record;
          else if (one.do === "cancel") record = links.cancel(before, one.request).record;
          else if (one.do === "answer")
            record = links.answer(before, one.request, one.accepted, now, KEEP).record;
          else if (one.do === "unlink") record = links.unlink(before, now + KEEP).record;
          else record = links.cancelPending(before, now + KEEP).record;
          record = links.settle(record, now, KEEP);
          // Only an open request becomes an accepted link, and only by the player's own answer.
          if (record.link.status === "accepted" && before.link.status !== "accepted") {
            expect(one).toMatchObject({ do: "answer", accepted: true });
            expect(before.link).toMatchObject({ status: "pending" });
          }
          // Never is one request open while another is on its way.
          if (record.link.status === "pending") expect(record.asking).toBeUndefined();
          const due = links.dueAt(record);
          if (due !== undefined) {
            expect(due).toBeGreaterThan(now);
            expect(links.settle(record, due - 1, KEEP)).toBe(record);
            expect(links.settle(record, due, KEEP)).not.toEqual(record);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
