import { expect, it } from "@jest/globals";
import { needs } from "../../../../test/helpers/needs.ts";
import { hasRedis, type RedisSide, redisForTests } from "../../../../test/helpers/redis.ts";
import type { PlayerRequests } from "../../../features/linking/rules/player-requests.ts";
import { NEVER_ONLINE } from "../../../features/players/rules/presence.ts";
import { createParts } from "../../bridge/parts.ts";
import { type Lease, StorageAway } from "../ports.ts";

const PARTIAL = { parts: 2, rows: [], got: 1, fact: 1 };
const askedAt = (at: number): PlayerRequests => ({
  requests: [{ request: "r", from: ["a"], open: true, at, until: at + 60_000 }],
  sources: [],
});
const DECLINED = { link: { status: "declined" as const, until: 5 } };
const LINE = { event: { event: "chat" as const, at: 1, from: "game" as const, content: "a" } };
const PRESENCE = { ...NEVER_ONLINE, run: "run" };

/** All that is changed by what a pack says. */
const CHANGES: [what: string, change: (shared: RedisSide, lease?: Lease) => Promise<unknown>][] = [
  ["links", ({ links }, lease) => links.change("s", () => ({ record: DECLINED, answer: 0 }), lease)],
  [
    "who was asked",
    ({ playerRequests }, lease) =>
      playerRequests.change("p", (_, now) => ({ record: askedAt(now), answer: 0 }), lease),
  ],
  [
    "actions",
    ({ server }, lease) =>
      server.outbox.append({ id: "1", body: { do: "allowlist-read" }, lifeMs: 9 }, lease),
  ],
  ["sessions", ({ server }, lease) => server.outbox.open({ run: "run", firstFact: 1 }, lease)],
  ["what was received", ({ server }, lease) => server.outbox.markReceived("session", 1, lease)],
  [
    "the bus",
    ({ server }, lease) =>
      server.bus.publish({ kind: "outcome", outcome: { id: "1", status: "done" } }, lease),
  ],
  ["who may write", ({ webChat }, lease) => webChat.changeWebChat(() => ({ mode: "off", mutes: [] }), lease)],
  ["names", ({ records }, lease) => createParts(records.volatile, "").addNames("1", 1, ["Steve"], lease)],
  ["parts", ({ records }, lease) => createParts(records.volatile, "").setPartial(PARTIAL, lease)],
  [
    "who is there",
    ({ feedLog }, lease) => feedLog.serverFeed("").append(() => ({ presence: PRESENCE, entries: [] }), lease),
  ],
  ["lines", ({ feedLog }, lease) => feedLog.tell([LINE], lease)],
];

needs("redis-server", hasRedis).describe("once a turn is over", () => {
  const redis = redisForTests();

  it.each(CHANGES)(
    "what is done in it does not change %s, and what the web does, does",
    async (_, change) => {
      const shared = await redis.open();
      const over = await shared.server.outbox.withLease(async lease => lease);
      await expect(change(shared, over)).rejects.toThrow(StorageAway);
      await change(shared);
    },
  );
});
