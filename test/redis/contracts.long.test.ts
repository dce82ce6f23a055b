import { randomUUID } from "node:crypto";
import { describeBans } from "../../sidecar/features/bans/records.contract.ts";
import { describeFeedLog } from "../../sidecar/features/feed/feed-log.contract.ts";
import { describeKnown } from "../../sidecar/features/known-players/records.contract.ts";
import { describeStore } from "../../sidecar/features/linking/records.contract.ts";
import { describeSignIn } from "../../sidecar/features/sign-in/records.contract.ts";
import { describeOutbox } from "../../sidecar/kernel/bridge/outbox.contract.ts";
import { describeRecords } from "../../sidecar/kernel/storage/records.contract.ts";
import { describeStreams, WORDS } from "../../sidecar/kernel/storage/streams.contract.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis, ownStore, redisForTests } from "../helpers/redis.ts";

/** A store without anything to close. */
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
    const open = async () => (await redis.open({ prefix, streams: [{ of: WORDS, max: 100 }] })).records.feed;
    return { records: await open(), another: open };
  });
  describeFeedLog("the feed", async () => (await redis.open({ entries: 5 })).feedLog);
  describeKnown("known players", async () => {
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
