import { beforeEach, expect, it } from "@jest/globals";
import type { RedisServer } from "../../lab/scale/redis-server.ts";
import type { Fact } from "../../shared/facts.ts";
import type { Delivery } from "../../shared/frames.ts";
import type { SharedState } from "../../sidecar/kernel/shared.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import type { Stores } from "../../sidecar/stores.ts";
import { ask, newSession } from "../helpers/client.ts";
import { eventually } from "../helpers/eventually.ts";
import { FakePack, type Reply, row } from "../helpers/fake-pack.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis } from "../helpers/redis.ts";
import { createEnds, type Listeners, type RedisSide, startScene } from "../helpers/redis-sides.ts";

const ends = createEnds();
const said = (text: string): Fact => ({ is: "said", name: "Steve", text });
const lines = (texts: string[]): string[] => texts.map(text => `§§<Steve> §§${text}`);

/** The next call of this name, in which a sidecar stalls. */
class Stall {
  #at = "";
  #go: (() => void) | undefined;
  #reached: (() => void) | undefined;

  in<A extends unknown[], T>(name: string, call: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
    return async (...args) => {
      if (name === this.#at) {
        this.#at = "";
        await new Promise<void>(resolve => {
          this.#go = resolve;
          this.#reached?.();
        });
      }
      return call(...args);
    };
  }

  /** Resolves once the sidecar has stalled. */
  next(name: string): Promise<void> {
    this.#at = name;
    return new Promise(resolve => {
      this.#reached = resolve;
    });
  }

  end(): void {
    this.#go?.();
  }
}

needs("redis-server", hasRedis).describe("messages of a pack, to two sidecars", () => {
  let redis: RedisServer;
  let sides: readonly [RedisSide, RedisSide];
  let stall: Stall;
  let pack: FakePack;
  let listeners: Listeners;

  const stalling = ({ server }: SharedState): Partial<SharedState> => ({
    server: {
      ...server,
      bus: { ...server.bus, publish: stall.in("publish", server.bus.publish) },
      outbox: { ...server.outbox, markReceived: stall.in("mark", server.outbox.markReceived) },
    },
  });
  const stallingStores = ({ links, feedLog }: Stores): Partial<Stores> => ({
    feedLog: {
      ...feedLog,
      serverFeed(name) {
        const log = feedLog.serverFeed(name);
        return { ...log, appendOnce: stall.in("appendOnce", log.appendOnce) };
      },
    },
    links: {
      ...links,
      sessionOf: stall.in("session-of", links.sessionOf),
      linkedTo: stall.in("linked-to", links.linkedTo),
    },
  });

  beforeEach(async () => {
    stall = new Stall();
    ({ redis, sides, pack, listeners } = await startScene(ends, {}, () => ({
      with: stalling,
      stores: stallingStores,
    })));
  });

  const post = ({ bridge }: RedisSide, first: number, facts: Fact[]): Promise<Reply<Delivery>> =>
    new FakePack(bridge).post("/bridge/facts", { session: pack.session, after: pack.after, first, facts });

  /**
   * A sidecar gets facts and stalls; the other gets the same facts, and then more. When the first continues, it must
   * ask for them again.
   */
  async function take(at: string, facts: Fact[], ...more: (() => unknown)[]): Promise<void> {
    const [one, two] = sides;
    const reached = stall.next(at);
    const first = pack.seq;
    const lost = post(one, first, facts);
    await reached;
    expect(await post(two, first, facts)).toMatchObject({
      status: 200,
      body: { received: first + facts.length - 1 },
    });
    pack.seq += facts.length;
    for (const step of more) await step();
    stall.end();
    expect(await lost).toMatchObject({ status: 503, body: { error: "storage_away" } });
    expect((await ask(one.base, "/readyz")).status).toBe(200);
  }

  const via =
    (side: number, ...facts: Fact[]) =>
    async (): Promise<void> => {
      const answer = await post(sides[side] as RedisSide, pack.seq, facts);
      expect(answer.status).toBe(200);
      pack.seq += facts.length;
    };

  it("are processed once, in order, if both get them at the same time", async () => {
    const texts = Array.from({ length: 60 }, (_, i) => `${i}`);
    for (let i = 0; i < texts.length; i += 3) {
      const facts = texts.slice(i, i + 3).map(said);
      const both = await Promise.all(sides.map(side => post(side, pack.seq, facts)));
      pack.seq += facts.length;
      for (const { status, body } of both) expect([status, body.received]).toEqual([200, pack.seq - 1]);
    }
    await eventually(() => expect(listeners.lines()).toEqual(Array(4).fill(lines(texts))));
  });

  it.each(["appendOnce", "mark"])("are forwarded once if one stalls (%s): chat messages", async at => {
    await take(at, [said("a"), said("b")], via(1, said("c")), via(1, said("d")));
    await eventually(() => expect(listeners.lines()).toEqual(Array(4).fill(lines(["a", "b", "c", "d"]))));
  });

  async function linked(cookie: string): Promise<void> {
    const [, two] = sides;
    const pending = ask(two.base, "/link-player", { cookie, body: { username: "Steve" } });
    const poller = new FakePack(two.bridge);
    Object.assign(poller, { session: pack.session, after: pack.after });
    let id: string | undefined;
    while (id === undefined) id = (await poller.take()).find(({ body }) => body.do === "link-open")?.id;
    pack.after = poller.after;
    await via(1, { is: "outcome", id, status: "done", player: row("Steve").player })();
    expect((await pending).status).toBe(202);
    await via(1, { is: "answered", request: id, accepted: true })();
  }

  /** Failed writes are tried again once a second. */
  const putOff = (): Promise<void> => new Promise(resolve => void systemClock.after(1_500, resolve));

  const link = async (cookie: string): Promise<unknown[]> =>
    Promise.all(sides.map(async ({ base }) => (await ask(base, "/linked-player", { cookie })).json));
  const statuses = (status: string): unknown[] => sides.map(() => expect.objectContaining({ status }));

  it("are not undone by one that stalls: an answer", async () => {
    const [one, two] = sides;
    const { cookie } = await newSession(one.base);
    const pending = ask(one.base, "/link-player", { cookie, body: { username: "Steve" } });
    const { id } = await pack.carryOut("done", { player: row("Steve").player });
    expect((await pending).status).toBe(202);
    await take("session-of", [{ is: "answered", request: id, accepted: true }], async () => {
      expect(await link(cookie)).toEqual(statuses("accepted"));
      expect((await ask(two.base, "/unlink-player", { cookie, method: "POST" })).status).toBe(200);
    });
    await putOff();
    expect(await link(cookie)).toEqual(statuses("not_linked"));
  });

  it("give the website no space in a full Redis", async () => {
    const [one] = sides;
    const { cookie } = await newSession(one.base);
    await linked(cookie);
    const reached = stall.next("publish");
    const dealt = post(one, pack.seq, [{ is: "joined", row: row("Alex") }]);
    await reached;
    await redis.command("CONFIG", "SET", "maxmemory", "100kb");
    const { status } = await ask(one.base, "/unlink-player", { cookie, method: "POST" });
    stall.end();
    expect([status, (await dealt).status]).toEqual([503, 200]);
    expect(await link(cookie)).toEqual(statuses("accepted"));
  });
});
