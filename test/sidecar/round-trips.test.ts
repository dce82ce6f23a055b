import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import type { Fact } from "../../shared/facts.ts";
import { embedded } from "../../sidecar/embedded.ts";
import { createMemoryStore } from "../../sidecar/store/memory.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { newSession } from "../helpers/client.ts";
import { ManualClock } from "../helpers/clock.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { memoryFeedLog } from "../helpers/feed-log.ts";
import { RecordingLog } from "../helpers/log.ts";
import { startOneSidecar, type TestSidecar } from "../helpers/one-sidecar.ts";
import { eventually } from "../helpers/runner.ts";
import { NO_RATES } from "../helpers/traffic.ts";

/** Enough for what is answered to lead to what is asked next. */
const TURNS = 10;

/** The way to a storage that is far away: what was asked is done at once, and answered with all else that is on its way. */
class Way {
  isFar = false;
  #waiting: (() => void)[] = [];

  /** questions whose answers have not come yet */
  get underWay(): number {
    return this.#waiting.length;
  }

  to<A extends unknown[], T>(call: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
    return async (...args) => {
      const answer = call(...args);
      if (this.isFar) await new Promise<void>(resolve => this.#waiting.push(resolve));
      return answer;
    };
  }

  /** How often answers had to be brought until this was done. */
  async trips(doing: Promise<unknown>): Promise<number> {
    let trips = 0;
    let isDone = false;
    this.isFar = true;
    const done = doing.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      for (let turn = 0; turn < TURNS; turn++) await nextTurn();
      const answered = this.#waiting.splice(0);
      if (answered.length > 0) trips++;
      for (const go of answered) go();
    }
    this.isFar = false;
    await done;
    return trips;
  }
}

async function far(): Promise<{ way: Way; side: TestSidecar }> {
  const way = new Way();
  const clock = new ManualClock();
  const shared = embedded(clock, { store: createMemoryStore(), feedLog: memoryFeedLog(clock) });
  const { feedLog, store } = shared;
  const { bus, outbox, parts, presence } = shared.world;
  const side = await startOneSidecar({ yaml: NO_RATES }, clock, new RecordingLog(), {
    ...shared,
    world: {
      ...shared.world,
      bus: { ...bus, publish: way.to(bus.publish) },
      outbox: { ...outbox, append: way.to(outbox.append), markReceived: way.to(outbox.markReceived) },
      parts: { ...parts, names: way.to(parts.names), setPartial: way.to(parts.setPartial) },
      presence: { ...presence, append: way.to(presence.append) },
    },
    feedLog: { ...feedLog, tell: way.to(feedLog.tell) },
    store: { ...store, read: way.to(store.read), sessionOf: way.to(store.sessionOf) },
  });
  return { way, side };
}

it("takes as long for many lines and outcomes of the game as for a few", async () => {
  const { way, side } = await far();
  const pack = new FakePack(side.bridge);
  await pack.connect();
  const flood = (pairs: number): Fact[] =>
    Array.from({ length: pairs }, (_, i): Fact[] => [
      { is: "said", name: "Steve", text: `${i}` },
      { is: "outcome", id: `${i}`, status: "done" },
    ]).flat();
  const few = await way.trips(pack.report(...flood(2)));
  expect(few).toBeGreaterThan(0);
  expect(await way.trips(pack.report(...flood(128)))).toBe(few);
  await side.stop();
});

it("takes as long for a game that has begun anew with many actions under way as with a few", async () => {
  const { way, side } = await far();
  const trips: number[] = [];
  for (const lines of [2, 50]) {
    const pack = new FakePack(side.bridge);
    await pack.connect(`run with ${lines}`);
    await pack.snapshot("Steve");
    const socket = await ChatSocket.open(side.base);
    for (let i = 0; i < lines; i++) socket.say(`${i}`);
    let taken = 0;
    while (taken < lines) taken += (await pack.take()).length;
    trips.push(await way.trips(new FakePack(side.bridge).connect(`run after ${lines}`)));
    await socket.close();
  }
  expect(trips[1]).toBe(trips[0]);
  await side.stop();
});

it("asks for the players of all browsers that write at once, and keeps their order", async () => {
  const { way, side } = await far();
  const sockets: ChatSocket[] = [];
  for (let i = 0; i < 10; i++) {
    const { cookie } = await newSession(side.base);
    sockets.push(await ChatSocket.open(side.base, { Cookie: cookie }));
  }
  const listener = await ChatSocket.open(side.base);
  way.isFar = true;
  for (const [i, socket] of sockets.entries()) {
    socket.say(`${i}`);
    await eventually(() => expect(way.underWay).toBe(i + 1));
  }
  const heard = async (): Promise<void> => {
    for (const [i] of sockets.entries()) expect(await listener.next()).toMatchObject({ content: `${i}` });
  };
  await way.trips(heard());
  for (const socket of [listener, ...sockets]) await socket.close();
  await side.stop();
});
