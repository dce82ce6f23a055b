import { describeOutbox } from "../bridge/outbox.contract.ts";
import { hasRedis, redisForTests } from "../helpers/redis.ts";
import { needs } from "../helpers/runner.ts";
import { describeFeedLog } from "../store/feed-log.contract.ts";
import { describeStore } from "../store/store.contract.ts";

needs("redis-server", hasRedis).describe("in Redis", () => {
  const redis = redisForTests();
  describeStore("the links", async () => (await redis.open()).store);
  describeFeedLog("the feed", async () => (await redis.open({ entries: 5 })).feedLog);
  describeOutbox("the outbox", async clock => (await redis.open({ clock })).outbox, 30);
});
