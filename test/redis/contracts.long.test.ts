import { randomUUID } from "node:crypto";
import { describeOutbox } from "../bridge/outbox.contract.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis, ownStore, redisForTests } from "../helpers/redis.ts";
import { describeBans } from "../store/bans.contract.ts";
import { describeFeedLog } from "../store/feed-log.contract.ts";
import { describeKnown } from "../store/known-players.contract.ts";
import { describeRecords } from "../store/records.contract.ts";
import { describeSignIn } from "../store/sign-in.contract.ts";
import { describeStore } from "../store/store.contract.ts";
import { describeStreams, WORDS } from "../store/streams.contract.ts";

/** A store that has nothing to close. */
const opened = <T>(store: T): T & { close(): Promise<void> } => ({ ...store, close: async () => undefined });

needs("redis-server", hasRedis).describe("in Redis", () => {
  const redis = redisForTests();
  describeStore("the links", async () => ownStore(await redis.open()));
  describeRecords("records", async () => {
    const prefix = randomUUID();
    const open = async () => (await redis.open({ prefix })).records.links;
    return { records: await open(), another: open };
  });
  describeStreams("streams", async () => {
    const prefix = randomUUID();
    const open = async () => (await redis.open({ prefix, streams: [{ of: WORDS, most: 100 }] })).records.feed;
    return { records: await open(), another: open };
  });
  describeFeedLog("the feed", async () => (await redis.open({ entries: 5 })).feedLog);
  describeKnown("those who have been here", async () => {
    const prefix = randomUUID();
    const open = async () => opened((await redis.open({ prefix })).known);
    return { store: await open(), another: open };
  });
  describeBans("the bans", async () => {
    const prefix = randomUUID();
    const open = async () => opened((await redis.open({ prefix })).bans);
    return { store: await open(), another: open };
  });
  describeSignIn("sign-ins", async clock => (await redis.open({ clock })).signIn);
  describeOutbox("the outbox", async clock => (await redis.open({ clock })).server.outbox, 30);
});
