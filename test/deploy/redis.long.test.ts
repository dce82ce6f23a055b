import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createClient } from "@redis/client";
import { describeFeedLog } from "../../sidecar/features/feed/feed-log.contract.ts";
import { describeStore } from "../../sidecar/features/linking/records.contract.ts";
import { describeOutbox } from "../../sidecar/kernel/bridge/outbox.contract.ts";
import { createParts } from "../../sidecar/kernel/bridge/parts.ts";
import { close, findServer } from "../../sidecar/kernel/storage/redis/client.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis, ownStore, redisForTests } from "../helpers/redis.ts";
import { findProgram, makeCertificate, recipe } from "./front.ts";
import { PASSWORD, recipeSettings, recipeUsers, startRecipeRedis } from "./recipe-redis.ts";

/** Sends one command. */
async function send(url: string, ...command: string[]): Promise<unknown> {
  const client = createClient({ url, RESP: 2, socket: { reconnectStrategy: false } });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await client.sendCommand(command);
  } finally {
    client.destroy();
  }
}

needs("redis-server", hasRedis).describe("Redis as in the recipe", () => {
  let redis: Awaited<ReturnType<typeof startRecipeRedis>>;
  beforeAll(async () => {
    redis = await startRecipeRedis();
  });
  afterAll(() => redis?.server.stop());

  it("requires a password", async () => {
    const { port } = redis.server;
    await expect(send(`redis://127.0.0.1:${port}`, "PING")).rejects.toThrow("NOAUTH");
    for (const user of ["web-bridge", "default"])
      await expect(send(`redis://${user}:x@127.0.0.1:${port}`, "PING")).rejects.toThrow("WRONGPASS");
  });

  it("still has data of scripts after a kill", async () => {
    const keys = ["{web-bridge}:one", "{web-bridge}:two"];
    const both = "for i = 1, 2 do redis.call('SET', KEYS[i], i) end";
    await send(redis.url, "EVAL", both, "2", ...keys);
    await redis.server.kill();
    await redis.server.restart();
    for (const [i, key] of keys.entries()) expect(await send(redis.url, "GET", key)).toBe(`${i + 1}`);
  });

  it("lets the sidecar's user run no other commands, and use no other keys", async () => {
    expect(await send(redis.url, "SET", "{web-bridge}:a", "1")).toBe("OK");
    for (const command of [
      ["GET", "other"],
      ["SET", "{web-bridge}", "1"],
      ["EVAL", "return redis.call('GET', 'other')", "0"],
      ["CONFIG", "GET", "requirepass"],
      ["FLUSHALL"],
      ["KEYS", "*"],
      ["ACL", "LIST"],
      ["MONITOR"],
      ["PUBLISH", "a", "b"],
    ])
      await expect(send(redis.url, ...command)).rejects.toThrow(/^NOPERM|can't access/);
  });
});

const ADDRESS = Object.values(networkInterfaces())
  .flatMap(all => all ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

needs("redis-server and an IPv4 address besides loopback", hasRedis && ADDRESS !== undefined).it(
  "Redis with the recipe's users is reachable from other machines once it listens for them",
  async () => {
    const redis = await startRecipeRedis({ bind: `127.0.0.1 ${ADDRESS}` });
    const url = redis.url.replace("127.0.0.1", ADDRESS ?? "");
    expect(await send(url, "PING").finally(() => redis.server.stop())).toBe("PONG");
  },
);

const openssl = findProgram(["openssl"], "version");

needs("redis-server and openssl", hasRedis && openssl !== undefined).it(
  "Redis with the recipe's users uses TLS as in the recipe, for clients that trust its certificate",
  async () => {
    const examples = [...recipe("redis/redis.conf").matchAll(/^# {3}(port|tls-[a-z-]+) (\S+)$/gm)];
    expect(examples.map(([, name, value]) => [name, value])).toEqual([
      ["port", "0"],
      ["tls-port", "6379"],
      ["tls-cert-file", expect.stringMatching(/\.crt$/)],
      ["tls-key-file", expect.stringMatching(/\.key$/)],
      ["tls-auth-clients", "no"],
    ]);
    const folder = newFolder("redis-tls-");
    const certificate = makeCertificate(folder, "IP:127.0.0.1");
    const redis = await startRecipeRedis({}, certificate);
    const server = await findServer(
      { url: redis.url, prefix: "web-bridge", sentinel: "", ca: certificate.cert },
      systemClock,
    );
    expect(await server.client.sendCommand(["PING"])).toBe("PONG");
    close(server.client);
    await redis.server.stop();
  },
);

// Each test has its own prefix; that line of the recipe is the only one that differs.
const users = recipeUsers().map(line => line.replace("~{web-bridge}:*", "~{*}:*"));

needs("redis-server", hasRedis).describe("shared state, with exactly the rights of the recipe", () => {
  const redis = redisForTests({ acl: users });
  const settings = () => ({ url: `redis://web-bridge:${PASSWORD}@127.0.0.1:${redis.server().port}` });
  describeStore("the links", async () => ownStore(await redis.open({ settings: settings() })));
  describeFeedLog("the feed", async () => (await redis.open({ settings: settings(), entries: 5 })).feedLog);
  describeOutbox(
    "the outbox",
    async clock => (await redis.open({ settings: settings(), clock })).server.outbox,
    5,
  );

  it("includes names, parts, link request limits, and who can write", async () => {
    const shared = await redis.open({ settings: settings() });
    const { playerRequests, webChat } = shared;
    const { bus } = shared.server;
    const parts = createParts(shared.records.volatile, "");
    await parts.addNames("action", 1, ["Steve"]);
    expect(await parts.names("action")).toEqual(["Steve"]);
    await parts.forgetNames("action");
    await parts.setPartial({ parts: 2, rows: [], got: 1, fact: 1 });
    expect(await parts.partial()).toMatchObject({ parts: 2 });
    await bus.publish({ kind: "snapshot", snapshot: { at: 1, tps: 20, rows: [] } });
    expect(await bus.lastSnapshot()).toMatchObject({ tps: 20 });
    await webChat.changeWebChat(() => ({ mode: "linked", mutes: [] }));
    expect(await webChat.webChat()).toMatchObject({ mode: "linked" });
    await playerRequests.change("Steve", record => ({ record, answer: undefined }));
    expect(shared.reach.isAway()).toBe(false);
  });
});

it("the page for Redis says where its users go", () => {
  expect(recipe("redis/redis.conf")).toContain(recipeSettings().aclfile);
});
