import { expect, it } from "@jest/globals";
import { needs } from "../../../../test/helpers/needs.ts";
import { hasRedis, type RedisSide, redisForTests } from "../../../../test/helpers/redis.ts";
import type { PlayerRequests } from "../../../features/linking/rules/player-requests.ts";
import { NEVER_ONLINE } from "../../../features/players/rules/presence.ts";
import { createParts } from "../../bridge/parts.ts";
import { type Lease, StorageAway } from "../ports.ts";

const PARTIAL = { parts: 2, rows: [], got: 1, fact: 1 };
const requestsAt = (at: number): PlayerRequests => ({
  requests: [{ request: "r", from: ["a"], open: true, at, until: at + 60_000 }],
  sources: [],
});
const DECLINED = { link: { status: "declined" as const, until: 5 } };
const LINE = { event: { event: "chat" as const, at: 1, from: "game" as const, content: "a" } };
const PRESENCE = { ...NEVER_ONLINE, run: "run" };

/** All changes made by the requests of a pack. */
const CHANGES: [what: string, change: (shared: RedisSide, lease?: Lease) => Promise<unknown>][] = [
  ["links", ({ links }, lease) => links.change("s", () => ({ record: DECLINED, answer: 0 }), lease)],
  [
    "link requests",
    ({ playerRequests }, lease) =>
      playerRequests.change("p", (_, now) => ({ record: requestsAt(now), answer: 0 }), lease),
  ],
  [
    "actions",
    ({ server }, lease) =>
      server.outbox.append({ id: "1", body: { do: "allowlist-read" }, lifeMs: 9 }, lease),
  ],
  ["sessions", ({ server }, lease) => server.outbox.open({ run: "run", firstFact: 1 }, lease)],
  ["the received facts", ({ server }, lease) => server.outbox.markReceived("session", 1, lease)],
  [
    "the bus",
    ({ server }, lease) =>
      server.bus.publish({ kind: "outcome", outcome: { id: "1", status: "done" } }, lease),
  ],
  [
    "the web chat mode",
    ({ webChat }, lease) => webChat.changeWebChat(() => ({ mode: "off", mutes: [] }), lease),
  ],
  ["names", ({ records }, lease) => createParts(records.volatile, "").addNames("1", 1, ["Steve"], lease)],
  ["parts", ({ records }, lease) => createParts(records.volatile, "").setPartial(PARTIAL, lease)],
  [
    "the online players",
    ({ feedLog }, lease) => feedLog.serverFeed("").append(() => ({ presence: PRESENCE, entries: [] }), lease),
  ],
  ["lines", ({ feedLog }, lease) => feedLog.publish([LINE], lease)],
];

needs("redis-server", hasRedis).describe("after a lease has expired", () => {
  const redis = redisForTests();

  it.each(CHANGES)(
    "work under it does not change %s, while requests from the website do",
    async (_, change) => {
      const shared = await redis.open();
      const over = await shared.server.outbox.withLease(async lease => lease);
      await expect(change(shared, over)).rejects.toThrow(StorageAway);
      await change(shared);
    },
  );
});
