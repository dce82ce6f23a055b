import { expect, it } from "@jest/globals";
import { createCrowd, createTurns } from "../../sidecar/http/crowds/turns.ts";
import { turnsBy } from "../helpers/clock.ts";

/** Clients that need so many pieces each, on a clock that a piece moves. */
function stage(pieceMs = 0.1) {
  let now = 0;
  const done: string[] = [];
  const left = new Map<Client, number>();
  interface Client {
    name: string;
    address: string;
  }
  const turns = createTurns<Client>({
    clock: turnsBy(() => now),
    piece(client) {
      now += pieceMs;
      done.push(client.name);
      const more = (left.get(client) ?? 0) - 1;
      left.set(client, more);
      if (more === 0) turns.end(client);
      // One that has to read first goes on later.
      else if (more > 0) turns.goOn(client);
    },
    failed: (_client, error) => {
      throw error;
    },
  });
  const come = (address: string, count: number, pieces: number): Client[] =>
    Array.from({ length: count }, (_, i) => {
      const client = { name: `${address}${i}`, address };
      left.set(client, pieces);
      turns.begin(client);
      return client;
    });
  /** What was done in the next turn of the event loop. */
  async function turn(): Promise<string[]> {
    await new Promise(setImmediate);
    return done.splice(0);
  }
  const pass = (ms: number): void => {
    now += ms;
  };
  return { come, turn, turns, pass };
}

it("about a millisecond of work is done in a turn of the event loop, and one piece however long it takes", async () => {
  const quick = stage(0.3);
  quick.come("a", 1, 100);
  expect(await quick.turn()).toHaveLength(4);
  expect(await quick.turn()).toHaveLength(4);
  const slow = stage(50);
  slow.come("a", 1, 100);
  expect(await slow.turn()).toHaveLength(1);
});

it("each address has its turn, however many come from another one", async () => {
  const { come, turn } = stage();
  come("a", 1_000, 10);
  come("b", 2, 2);
  expect((await turn()).slice(0, 8).filter(name => name.startsWith("b"))).toEqual(["b0", "b0", "b1", "b1"]);
});

it("of one address eight are at work at once, and the next begins when one of them is done or has gone", async () => {
  const { come, turn, turns } = stage();
  // As of clients that do not read: none of them can go on after its first piece.
  const clients = come("a", 20, 0);
  expect(await turn()).toEqual(clients.slice(0, 8).map(({ name }) => name));
  expect(await turn()).toEqual([]);
  for (const client of [clients[3], clients[8]]) if (client) turns.end(client);
  expect(await turn()).toEqual(["a9"]);
});

it("there are half as many pieces in the turn behind a long one, and one more behind each that is not", async () => {
  const { come, turn, pass } = stage(0.001);
  come("a", 1, 1_000);
  const counts: number[] = [];
  for (const ms of [5, 5, 1, 1]) {
    counts.push((await turn()).length);
    pass(ms);
  }
  expect([...counts, (await turn()).length]).toEqual([16, 8, 4, 5, 6]);
});

it("whoever comes first in a turn holds the work up by that turn, for 100 ms at most", async () => {
  const { come, turn, turns, pass } = stage();
  come("a", 1, 1_000);
  for (let held = 0; held < 100; held++) {
    turns.hold();
    expect(await turn()).toEqual([]);
    pass(1);
  }
  turns.hold();
  expect(await turn()).not.toEqual([]);
});

it("what a piece throws ends its client alone", async () => {
  const errors: unknown[] = [];
  const crowd = createCrowd(
    turnsBy(() => 0),
    error => errors.push(error),
  );
  const done: string[] = [];
  const address = "192.0.2.1";
  crowd.begin({
    address,
    act() {
      throw new Error("broken");
    },
  });
  crowd.begin({ address, act: () => void done.push("next") });
  expect(crowd.waitingOf(address)).toBe(2);
  await new Promise(setImmediate);
  expect([done, errors, crowd.waitingOf(address)]).toEqual([["next"], [new Error("broken")], 0]);
});

it("a client that has gone is done no piece of, and takes no place", async () => {
  const { come, turn, turns } = stage(2);
  const [first, second] = come("a", 2, 5);
  expect(await turn()).toEqual(["a0"]);
  if (first) turns.end(first);
  expect(await turn()).toEqual(["a1"]);
  if (second) turns.end(second);
  expect(await turn()).toEqual([]);
});
