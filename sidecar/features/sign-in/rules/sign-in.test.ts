import { describe, expect, it } from "@jest/globals";
import * as links from "../../linking/rules/links.ts";
import * as sites from "../../sites/rules.ts";
import * as signIn from "./sign-in.ts";

const steve: links.LinkedPlayer = { id: "-4", persistentId: "p", name: "Steve", uuid: "uuid-steve" };
const alex: links.LinkedPlayer = { ...steve, id: "-5", name: "Alex", uuid: "uuid-alex" };
const KEEP = 1_000;
const forum: signIn.SignInRequest = { site: "forum", ask: "one", isFresh: false };
const linked: links.LinkRecord = { link: { status: "accepted", player: steve, at: 10 } };

/** A request of the sign-in goes to the game, which finds the player. */
function requesting(record: links.LinkRecord, player = steve, wish = forum, now = 20): links.LinkRecord {
  const own = {
    request: "r",
    username: player.name,
    until: now + 10,
    deadline: now + 100,
    signIn: { site: wish.site, ask: wish.ask },
  };
  const begun = links.begin(record, own, now);
  expect(begun.answer).toBe("begun");
  const found = links.playerFound(begun.record, "r", player, now);
  expect(found.answer).toBe(now + 100);
  return found.record;
}

const agreed = (record: links.LinkRecord, wish = forum, now = 30) =>
  signIn.agree(record, wish, { uuid: steve.uuid, yes: "yes", now });

describe("a sign-in", () => {
  it("begins, and offers the linked player", () => {
    expect(signIn.stateOf(links.NO_LINK, forum, 0)).toEqual({ status: "begun", offered: undefined });
    expect(signIn.stateOf(linked, forum, 20)).toEqual({ status: "begun", offered: steve });
  });

  it("is waiting while the request is sent and while the form is open", () => {
    const own = { request: "r", username: "Steve", until: 30, deadline: 120, signIn: forum };
    const { record } = links.begin(links.NO_LINK, own, 20);
    const waiting = { status: "waiting", until: 120, asked: "Steve", offered: undefined };
    expect(signIn.stateOf(record, forum, 20)).toEqual(waiting);
    expect(signIn.stateOf(requesting(links.NO_LINK), forum, 20)).toEqual(waiting);
  });

  it("is accepted when the player accepts, which links the browser", () => {
    const { record } = links.answer(requesting(links.NO_LINK), "r", true, 30, KEEP);
    expect(record.link).toMatchObject({ status: "accepted", player: steve, at: 30 });
    expect(signIn.stateOf(record, forum, 30)).toEqual({ status: "accepted", offered: steve });
  });

  it("is declined when the player declines, and when it times out", () => {
    const no = links.answer(requesting(links.NO_LINK), "r", false, 30, KEEP);
    expect(signIn.stateOf(no.record, forum, 30).status).toBe("declined");
    const late = links.settle(requesting(links.NO_LINK), 120, KEEP);
    expect(signIn.stateOf(late, forum, 120).status).toBe("declined");
    expect(links.isEmpty(links.settle(late, 120 + KEEP, KEEP))).toBe(true);
  });

  it("has its own outcome, apart from other sign-ins", () => {
    const other = { ...forum, ask: "two" };
    expect(signIn.stateOf(requesting(links.NO_LINK), other, 20).status).toBe("begun");
    const { record } = links.answer(requesting(links.NO_LINK), "r", true, 30, KEEP);
    expect(signIn.stateOf(record, other, 30)).toEqual({ status: "begun", offered: steve });
  });

  it("continues as the offered player, and stores the consent once", () => {
    const step = agreed(linked);
    expect(step.answer).toEqual({ id: "forum", at: 30, yes: "yes" });
    const again = signIn.agree(step.record, forum, { uuid: steve.uuid, yes: "other", now: 40 });
    expect(again).toEqual({ record: step.record, answer: step.answer });
  });

  it("continues only as the player that the page has shown", () => {
    expect(signIn.agree(linked, forum, { uuid: alex.uuid, yes: "yes", now: 30 }).answer).toBe("not_offered");
    expect(agreed(links.NO_LINK).answer).toBe("not_offered");
  });

  it("ends the consent to one site and no other", () => {
    const map = { ...forum, site: "map" };
    const both = agreed(agreed(linked).record, map).record;
    const { record, answer } = sites.endSite(both, "forum");
    expect(answer).toBe("ended");
    expect(sites.sitesOf(record.link).map(({ id }) => id)).toEqual(["map"]);
    expect(sites.endSite(record, "forum").answer).toBe("not_found");
  });

  it("ends all consents when the link ends", () => {
    const { record } = links.unlink(agreed(linked).record, 50);
    expect(sites.sitesOf(record.link)).toEqual([]);
  });
});

describe("a sign-in of a player who is already linked", () => {
  const known = agreed(linked).record;
  const wish = { ...forum, isFresh: true };

  it("keeps link and consents until they accept", () => {
    const record = requesting(known);
    expect(links.linkedUuid(record)).toBe(steve.uuid);
    expect(sites.sitesOf(record.link)).toHaveLength(1);
    expect(links.openRequest(record)).toBe("r");
    expect(links.dueAt(record)).toBe(120);
  });

  it("changes only the time of acceptance", () => {
    const { record } = links.answer(requesting(known), "r", true, 30, KEEP);
    expect(record.link).toMatchObject({ status: "accepted", at: 10, authAt: 30 });
    expect(signIn.acceptedAt(record.link)).toBe(30);
    expect(sites.sitesOf(record.link)).toHaveLength(1);
    expect(links.openRequest(record)).toBeUndefined();
  });

  it.each([
    [
      "a decline",
      "declined",
      (record: links.LinkRecord) => links.answer(record, "r", false, 30, KEEP).record,
    ],
    ["a timeout", "timed_out", (record: links.LinkRecord) => links.settle(record, 120, KEEP)],
    [
      "the same characters",
      "same_characters",
      (record: links.LinkRecord) => links.endConflict(record, "r", 50).record,
    ],
  ])("ends only the sign-in with %s", (_, reason, end) => {
    const record = end(requesting(known));
    expect(signIn.stateOf(record, wish, 120)).toEqual({ status: "declined", reason, offered: undefined });
    expect(sites.sitesOf(record.link)).toHaveLength(1);
    expect(signIn.acceptedAt(record.link)).toBe(10);
  });

  it("keeps the link when its request is cancelled", () => {
    const step = links.cancelPending(requesting(known), 900);
    expect(step).toMatchObject({ record: known, answer: { request: "r" } });
    expect(signIn.stateOf(step.record, wish, 20).status).toBe("begun");
  });

  it("for another player ends the link once that player is found, like any link request", () => {
    const record = requesting(known, alex);
    expect(record.link).toMatchObject({ status: "pending", player: alex });
    expect(sites.sitesOf(record.link)).toEqual([]);
  });

  it("is cancelled by this sign-in, and by no other one", () => {
    expect(links.cancelPending(requesting(known), 900, "one").record).toEqual(known);
    expect(links.cancelPending(requesting(known), 900, "two").answer).toBe("no_request");
    expect(links.cancelPending(known, 900, "one").answer).toBe("no_request");
  });
});

describe("what a site can require", () => {
  it("is a confirmation in the game, with prompt=login", () => {
    const wish = { ...forum, isFresh: true };
    expect(signIn.offered(linked.link, wish, 20)).toBeUndefined();
    expect(agreed(linked, wish).answer).toBe("not_offered");
    const { record } = links.answer(requesting(linked), "r", true, 30, KEEP);
    expect(signIn.offered(record.link, wish, 30)).toEqual(steve);
    expect(signIn.offered(record.link, { ...wish, ask: "two" }, 30)).toBeUndefined();
  });

  it("is an acceptance within max_age", () => {
    const wish = { ...forum, maxAgeMs: 50 };
    expect(signIn.offered(linked.link, wish, 60)).toEqual(steve);
    expect(signIn.offered(linked.link, wish, 61)).toBeUndefined();
  });

  it("is one player alone, with id_token_hint", () => {
    expect(signIn.offered(linked.link, { ...forum, subject: steve.uuid }, 20)).toEqual(steve);
    expect(signIn.offered(linked.link, { ...forum, subject: alex.uuid }, 20)).toBeUndefined();
  });

  it("is not met by a link without a known time of acceptance", () => {
    expect(signIn.offered({ status: "accepted", player: steve }, forum, 20)).toBeUndefined();
  });

  it("is a response without a page, with prompt=none", () => {
    const silent = (record: links.LinkRecord, wish = forum) => signIn.silently(record.link, wish, 20);
    expect(silent(links.NO_LINK)).toBe("login_required");
    expect(silent(linked)).toBe("consent_required");
    expect(silent(agreed(linked).record)).toEqual({ uuid: steve.uuid });
    expect(silent(agreed(linked).record, { ...forum, site: "map" })).toBe("consent_required");
    expect(silent(agreed(linked).record, { ...forum, maxAgeMs: 5 })).toBe("login_required");
    const ended = links.unlink(agreed(linked).record, 50).record;
    expect(silent(ended)).toBe("login_required");
    expect(silent({ link: { status: "accepted", player: steve, at: 30 } })).toBe("consent_required");
  });
});

it.each([
  ["Old Steve 12", "old-steve-12"],
  ["José", "jose"],
  ["Steve#1234", "steve-1234"],
  [".Steve_", "steve"],
  ["山田", "player-25f6be79"],
])("a player called %s has the nickname %s", (name, nickname) => {
  expect(signIn.nicknameOf(name, "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a")).toBe(nickname);
});
