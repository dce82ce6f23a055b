import { randomUUID } from "node:crypto";
import { expect, it } from "@jest/globals";
import type { KnownStore } from "../../sidecar/features/known-players/records.ts";
import {
  away,
  MANY,
  put,
  there,
  uuidOf,
  uuidsOf,
  walk,
} from "../../sidecar/features/known-players/testing/known-records.ts";
import { StorageAway, StorageFull } from "../../sidecar/kernel/storage/ports.ts";
import { RecordingLog } from "../helpers/log.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis, redisForTests } from "../helpers/redis.ts";

const ALL = [1, 2, 3, 4].map(uuidOf);

type Command = (name: string, key: string, ...more: string[]) => Promise<unknown>;

needs("redis-server", hasRedis).describe("known players in Redis", () => {
  const redis = redisForTests({ settings: { "maxmemory-policy": "noeviction" } });

  /** Three offline players and an online one, each with a finished visit. */
  async function start() {
    const prefix = randomUUID();
    const log = new RecordingLog();
    const { known } = await redis.open({ prefix, log, isStill: true });
    for (const [i, uuid] of ALL.entries())
      await put(known, uuid, (i === 3 ? there : away)(`Name ${i}`), { ended: [{ from: 1, to: 2 }] });
    const command: Command = (name, key, ...more) =>
      redis.server().command(name, `{${prefix}}:${key}`, ...more);
    return { known, log, prefix, command };
  }

  it("treats a damaged record as missing, logs it once, and replaces it", async () => {
    const { known, log, command } = await start();
    const [first = "", second = "", third = "", fourth = ""] = ALL;
    await command("HSET", "known", first, "no json", second, '{"name":5}', fourth, "{}");
    for (let i = 0; i < 2; i++) {
      expect(uuidsOf(await walk(known, { sort: "name" }, 1))).toEqual([third]);
      expect(uuidsOf(await walk(known, { sort: "visits" }, 1))).toEqual([third]);
      expect(uuidsOf(await walk(known, { sort: "name", prefix: "n" }, 1))).toEqual([third]);
      expect([await known.present(), await known.read([first, fourth])]).toEqual([new Map(), new Map()]);
    }
    expect(log.of("warn").map(({ message }) => message)).toEqual(
      Array(3).fill("A player's record is damaged and ignored"),
    );
    const before: unknown[] = [];
    await known.change(
      [first, fourth],
      (_, record) => {
        before.push(record);
        return { record: away("Zoe") };
      },
      MANY,
    );
    expect(before).toEqual([undefined, undefined]);
    expect(uuidsOf(await walk(known, { sort: "name", prefix: "z" }))).toEqual([first, fourth]);
  });

  it("treats damaged visits as missing, logs it once, and continues from there", async () => {
    const { known, log, command } = await start();
    const [first = ""] = ALL;
    await command("HSET", "known-stays", first, "5-6,here");
    for (let i = 0; i < 2; i++) expect(await known.visits(first, 9)).toEqual([]);
    expect(log.of("warn").map(({ message }) => message)).toEqual([
      "A player's visits are damaged and ignored",
    ]);
    await put(known, first, away("Name"), { ended: [{ from: 3, to: 4 }] });
    expect(await known.visits(first, 9)).toEqual([{ from: 3, to: 4 }]);
  });

  it("has deleted the damaged ones when it reports that clean-up is complete", async () => {
    const { known, command } = await start();
    for (const uuid of ALL) {
      await command("HSET", "known", uuid, "no json");
      await command("HSET", "known-stays", uuid, "none");
    }
    const everybody = { unseenSince: Number.MAX_SAFE_INTEGER, endedBefore: Number.MAX_SAFE_INTEGER };
    for (let i = 0; i < 2; i++) expect(await known.cleanUp(everybody)).toBe(true);
    for (const key of ["known:by-away", "known-stays:by-oldest"]) expect(await command("ZCARD", key)).toBe(0);
  });

  it("decides once for each player, also if a finished visit is stored with it", async () => {
    const { known } = await start();
    const decided: string[] = [];
    const step = (uuid: string) => {
      decided.push(uuid);
      return { record: away("Name"), ended: [{ from: 3, to: 4 }] };
    };
    await known.change(ALL, step, MANY);
    expect(decided).toEqual(ALL);
  });

  it("stores game data, reads and deletes in a Redis without space", async () => {
    const { known, command } = await start();
    const [first = ""] = ALL;
    const token = randomUUID();
    const lease = { token };
    const isStored = (more: object): Promise<void> =>
      known.change([first], () => ({ record: there("Told") }), { ...MANY, ...more });
    await command("SET", "turn", token);
    await redis.server().command("CONFIG", "SET", "maxmemory", "100kb");
    try {
      await expect(isStored({})).rejects.toThrow(StorageFull);
      await isStored({ lease });
      expect((await known.read([first])).get(first)?.name).toBe("Told");
      expect([(await known.present()).size, await known.count(), await known.count("name 1")]).toEqual([
        2, 2, 1,
      ]);
      expect(uuidsOf(await walk(known, { sort: "name" }))).toEqual(ALL.slice(1, 3));
      expect(uuidsOf(await walk(known, { sort: "kills" }))).toEqual(ALL.slice(1, 3));
      expect(await known.cleanUp({ unseenSince: 99, endedBefore: 99 })).toBe(true);
      expect(await known.visits(first, 9)).toEqual([]);
      await known.clear();
      expect(await everything(known)).toEqual(new Map());
    } finally {
      await redis.server().command("CONFIG", "SET", "maxmemory", "0");
    }
  });

  it("changes nothing after a turn has ended", async () => {
    const { known } = await start();
    const before = await everything(known);
    const change = known.change(ALL, () => ({ record: undefined }), { ...MANY, lease: { token: "over" } });
    await expect(change).rejects.toThrow(StorageAway);
    expect(await everything(known)).toEqual(before);
  });

  it("has every key under its prefix in braces, and leaves none behind", async () => {
    const { known, prefix } = await start();
    await put(known, uuidOf(5), away("Hidden", { hidden: true }));
    const keys = (): Promise<unknown> => redis.server().command("KEYS", "*known*");
    const ours = [await keys()].flat().map(String);
    expect(ours.filter(key => !/^\{[0-9a-f-]{36}\}:known/.test(key))).toEqual([]);
    await known.clear();
    expect(await everything(known)).toEqual(new Map());
    expect([await keys()].flat().filter(key => `${key}`.includes(prefix))).toEqual([]);
  });
});

const everything = (known: KnownStore): ReturnType<KnownStore["read"]> => known.read([...ALL, uuidOf(5)]);
