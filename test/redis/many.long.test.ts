import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "@jest/globals";
import type { WebChatRules } from "../../sidecar/features/chat/rules/web-chat.ts";
import { line } from "../../sidecar/features/feed/feed-log.contract.ts";
import { NO_REQUESTS } from "../../sidecar/features/linking/rules/player-requests.ts";
import type { BusEvent } from "../../sidecar/kernel/bridge/ports.ts";
import { eventually } from "../helpers/eventually.ts";
import { row } from "../helpers/fake-pack.ts";
import { RecordingLog } from "../helpers/log.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis, type RedisSide, redisForTests } from "../helpers/redis.ts";

needs("redis-server", hasRedis).describe("two sidecars on one Redis", () => {
  const redis = redisForTests();
  let prefix = "";
  let one: RedisSide;
  let two: RedisSide;
  beforeEach(async () => {
    prefix = randomUUID();
    [one, two] = [await redis.open({ prefix }), await redis.open({ prefix })];
  });

  it("have one bridge id, also after Redis has lost it", async () => {
    const id = await one.bridgeId();
    expect(await two.bridgeId()).toBe(id);
    await redis.server().command("FLUSHALL");
    const third = await redis.open({ prefix });
    expect(await third.bridgeId()).toBe(id);
  });

  it("notice lost data, though another sidecar has started again before they check", async () => {
    const logs = [new RecordingLog(), new RecordingLog()];
    prefix = randomUUID();
    for (const log of logs) await redis.open({ prefix, log });
    for (let i = 0; i < 3; i++) {
      await redis.server().command("FLUSHALL");
      await redis.open({ prefix });
      await eventually(() => {
        for (const log of logs)
          expect(
            log.of("error").filter(({ message }) => message.includes("lost all stored data")),
          ).toHaveLength(i + 1);
      });
    }
  });

  it("receive what either appends to the feed, under the same ids, in the same order", async () => {
    const received: string[][] = [[], []];
    for (const [i, { feedLog }] of [one, two].entries())
      feedLog.subscribe(entries => received[i]?.push(...entries.map(({ id }) => id)));
    const said = Array.from({ length: 50 }, (_, i) => (i % 2 ? one : two).feedLog.publish([line(`${i}`)]));
    await Promise.all(said);
    await Promise.all([one.feedLog.sync(), two.feedLog.sync()]);
    expect(received[0]).toHaveLength(50);
    expect(received[1]).toEqual(received[0]);
    const third = await redis.open({ prefix });
    expect((await third.feedLog.newest(100)).entries.map(({ id }) => id)).toEqual(received[0]);
  });

  it("take an action from one queue, whichever sidecar appended it", async () => {
    const opened = await one.server.outbox.open({ run: "run", firstFact: 1 });
    const session = "value" in opened ? opened.value.session : "";
    const taken = two.server.outbox.take(session, 0, 10_000);
    await one.server.outbox.append({ id: "a", body: { do: "chat", text: "a" }, lifeMs: 9_000 });
    expect(await taken).toMatchObject({ value: [{ id: "a" }] });
    expect(await two.server.outbox.withdraw("a")).toBe(false);
    expect(await one.server.outbox.size()).toBe(1);
  });

  it("end the poll of the other when a later one arrives", async () => {
    const opened = await one.server.outbox.open({ run: "run", firstFact: 1 });
    const session = "value" in opened ? opened.value.session : "";
    const earlier = one.server.outbox.take(session, 0, 10_000);
    await eventually(async () =>
      expect(await redis.server().command("HGET", `{${prefix}}:pack`, "poller")).not.toBe(""),
    );
    const gone = new AbortController();
    const later = two.server.outbox.take(session, 0, 10_000, gone.signal);
    expect(await earlier).toEqual({ value: [] });
    gone.abort();
    expect(await later).toEqual({ value: [] });
  });

  it("give the pack everything once though Redis has lost its last write", async () => {
    const opened = await one.server.outbox.open({ run: "run", firstFact: 1 });
    const session = "value" in opened ? opened.value.session : "";
    const say = (id: string) =>
      one.server.outbox.append({ id, body: { do: "chat", text: id }, lifeMs: 9_000 });
    await say("a");
    await redis.server().command("HSET", `{${prefix}}:pack`, "last", "7");
    await say("b");
    expect(await two.server.outbox.take(session, 9, 0)).toEqual({ fault: "unknown_session" });
    const again = await two.server.outbox.open({ run: "run", firstFact: 4 });
    const next = "value" in again ? again.value.session : "";
    expect(next).not.toBe(session);
    expect(await one.server.outbox.take(next, 0, 0)).toMatchObject({ value: [{ id: "a" }, { id: "b" }] });
    await say("c");
    expect(await one.server.outbox.take(next, 8, 0)).toMatchObject({ value: [{ id: "c", seq: 10 }] });
  });

  it("continue after Redis has dropped pending actions for the game", async () => {
    const opened = await one.server.outbox.open({ run: "run", firstFact: 1 });
    const session = "value" in opened ? opened.value.session : "";
    const append = (id: string, lifeMs = 9_000): Promise<boolean> =>
      two.server.outbox.append({ id, body: { do: "chat", text: id }, lifeMs });
    await append("a");
    await append("b", 1);
    await redis.server().command("DEL", `{${prefix}}:actions`);
    await append("c");
    const taken = await one.server.outbox.take(session, 0, 0);
    expect(taken).toMatchObject({ value: [{ id: "c" }] });
    expect(await one.server.outbox.take(session, 3, 0)).toEqual({ value: [] });
    await eventually(async () => {
      await one.server.outbox.take(session, 3, 0);
      expect(await redis.server().command("ZCARD", `{${prefix}}:ends`)).toBe(2);
    });
  });

  it("share outcomes, snapshots and who can write", async () => {
    const received: (BusEvent | WebChatRules)[] = [];
    two.server.bus.subscribe(event => received.push(event));
    two.webChat.subscribe(said => received.push(said));
    const snapshot = { at: 5, tps: 20, rows: [row("Steve")] };
    await one.server.bus.publish({ kind: "snapshot", snapshot });
    await one.server.bus.publish({ kind: "outcome", outcome: { id: "a", status: "done" }, names: ["Steve"] });
    const rules = { mode: "linked" as const, mutes: [{ browser: "01234567", until: 5 }] };
    await one.webChat.changeWebChat(() => rules);
    await eventually(() => expect(received).toHaveLength(3));
    expect(received).toEqual([
      { kind: "snapshot", snapshot },
      { kind: "outcome", outcome: { id: "a", status: "done" }, names: ["Steve"] },
      rules,
    ]);
    const third = await redis.open({ prefix });
    expect(await third.server.bus.lastSnapshot()).toEqual(snapshot);
    expect(await third.webChat.webChat()).toEqual(rules);
  });

  it("forget who can write after the last of them has stopped", async () => {
    await one.webChat.changeWebChat(() => ({ mode: "off", mutes: [] }));
    await Promise.all([one.close(), two.close()]);
    const third = await redis.open({ prefix });
    expect(await third.webChat.webChat()).toBeUndefined();
  });

  it("lose nothing that both store about a player concurrently", async () => {
    const ask = (shared: RedisSide, request: string) =>
      shared.playerRequests.change("Steve", (requests, now) => ({
        record: {
          ...requests,
          requests: [
            ...requests.requests,
            { request, from: ["a"], open: true, at: now, until: now + 60_000 },
          ],
        },
        answer: undefined,
      }));
    await Promise.all(Array.from({ length: 20 }, (_, i) => ask(i % 2 ? one : two, `${i}`)));
    const known = await one.playerRequests.change("Steve", record => ({
      record,
      answer: record.requests.length,
    }));
    expect(known).toBe(20);
    expect(await two.playerRequests.change("Alex", record => ({ record, answer: record }))).toEqual(
      NO_REQUESTS,
    );
  });

  it("keep one point of each interval for sidecars that start later", async () => {
    const point = { at: 10, tps: 20, onlinePlayerCount: 1, memoryUsedMB: null, cpuUsage: 5 };
    await one.history("").add(2, point);
    await two.history("").add(2, { ...point, at: 11 });
    await two.history("").add(3, { ...point, at: 15 });
    expect((await one.history("").read()).map(({ at }) => at).toSorted((a, b) => a - b)).toEqual([10, 15]);
    await Promise.all(
      Array.from({ length: 720 }, (_, i) => one.history("").add(4 + i, { ...point, at: 20 + i })),
    );
    expect(await two.history("").read()).toHaveLength(720);
  });
});
