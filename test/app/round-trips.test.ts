import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { type House, openHouse, SOMEBODY, said, written } from "./house.ts";

/** Enough for what is answered to lead to what is asked next. */
const TURNS = 10;

/** The way to a storage that is far away: what was asked is done at once, and answered with all else that is on its way. */
class Way {
  isFar = false;
  #waiting: (() => void)[] = [];

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

async function far(): Promise<{ way: Way; house: House }> {
  const way = new Way();
  const house = await openHouse({
    with: ({ feedLog, store, world }) => ({
      world: {
        ...world,
        bus: { ...world.bus, publish: way.to(world.bus.publish) },
        outbox: {
          ...world.outbox,
          append: way.to(world.outbox.append),
          markReceived: way.to(world.outbox.markReceived),
        },
        parts: {
          ...world.parts,
          names: way.to(world.parts.names),
          setPartial: way.to(world.parts.setPartial),
        },
        presence: { ...world.presence, append: way.to(world.presence.append) },
      },
      feedLog: { ...feedLog, tell: way.to(feedLog.tell) },
      store: { ...store, read: way.to(store.read), sessionOf: way.to(store.sessionOf) },
    }),
  });
  return { way, house };
}

it("takes as long for many lines and outcomes of the game as for a few", async () => {
  const { way, house } = await far();
  await house.pack.connect();
  const flood = (pairs: number) =>
    Array.from({ length: pairs }, (_, i) => [
      said(`${i}`),
      { is: "outcome", id: `${i}`, status: "done" } as const,
    ]).flat();
  const few = await way.trips(house.pack.report(...flood(2)));
  expect(few).toBeGreaterThan(0);
  expect(await way.trips(house.pack.report(...flood(128)))).toBe(few);
});

it("takes as long for a game that has begun anew with many actions under way as with a few", async () => {
  const { way, house } = await far();
  const trips: number[] = [];
  for (const lines of [2, 50]) {
    const pack = house.anotherPack();
    await pack.connect(`run with ${lines}`);
    await pack.snapshot("Steve");
    for (let i = 0; i < lines; i++) void house.chat.fromWeb(SOMEBODY, written(`${i}`)).answer;
    let taken = 0;
    while (taken < lines) taken += (await pack.take()).length;
    trips.push(await way.trips(house.anotherPack().connect(`run after ${lines}`)));
  }
  expect(trips[1]).toBe(trips[0]);
});
