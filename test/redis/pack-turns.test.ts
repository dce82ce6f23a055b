import { expect, it } from "@jest/globals";
import type { PlayerRequests } from "../../sidecar/features/linking/rules/player-requests.ts";
import { NEVER_ONLINE } from "../../sidecar/features/players/rules.ts";
import { createParts } from "../../sidecar/kernel/bridge/parts.ts";
import { StorageAway, type Turn } from "../../sidecar/kernel/storage/ports.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis, type RedisSide, redisForTests } from "../helpers/redis.ts";

const PARTIAL = { parts: 2, rows: [], got: 1, fact: 1 };
const askedAt = (at: number): PlayerRequests => ({
  requests: [{ request: "r", from: ["a"], open: true, at, until: at + 60_000 }],
  sources: [],
});
const DECLINED = { link: { status: "declined" as const, until: 5 } };
const LINE = { event: { event: "chat" as const, at: 1, from: "game" as const, content: "a" } };
const PRESENCE = { ...NEVER_ONLINE, run: "run" };

/** All that is changed by what a pack says. */
const CHANGES: [what: string, change: (shared: RedisSide, turn?: Turn) => Promise<unknown>][] = [
  ["links", ({ links }, turn) => links.change("s", () => ({ record: DECLINED, answer: 0 }), turn)],
  [
    "who was asked",
    ({ playerRequests }, turn) =>
      playerRequests.change("p", (_, now) => ({ record: askedAt(now), answer: 0 }), turn),
  ],
  [
    "actions",
    ({ world }, turn) => world.outbox.append({ id: "1", body: { do: "allowlist-read" }, lifeMs: 9 }, turn),
  ],
  ["sessions", ({ world }, turn) => world.outbox.open({ run: "run", firstFact: 1 }, turn)],
  ["what was received", ({ world }, turn) => world.outbox.markReceived("session", 1, turn)],
  [
    "the bus",
    ({ world }, turn) => world.bus.publish({ kind: "outcome", outcome: { id: "1", status: "done" } }, turn),
  ],
  ["who may write", ({ webChat }, turn) => webChat.changeWebChat(() => ({ mode: "off", mutes: [] }), turn)],
  ["names", ({ records }, turn) => createParts(records.volatile, "").addNames("1", 1, ["Steve"], turn)],
  ["parts", ({ records }, turn) => createParts(records.volatile, "").setPartial(PARTIAL, turn)],
  [
    "who is there",
    ({ feedLog }, turn) => feedLog.presenceOf("").append(() => ({ presence: PRESENCE, entries: [] }), turn),
  ],
  ["lines", ({ feedLog }, turn) => feedLog.tell([LINE], turn)],
];

needs("redis-server", hasRedis).describe("once a turn is over", () => {
  const redis = redisForTests();

  it.each(CHANGES)(
    "what is done in it does not change %s, and what the web does, does",
    async (_, change) => {
      const shared = await redis.open();
      const over = await shared.world.outbox.inTurn(async turn => turn);
      await expect(change(shared, over)).rejects.toThrow(StorageAway);
      await change(shared);
    },
  );
});
