import type { IncomingMessage, ServerResponse } from "node:http";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { MOST_UNSENT } from "../../sidecar/domain/crowds.ts";
import { createUnsent, type Unsent } from "../../sidecar/http/crowds/unsent.ts";
import { eventually } from "../helpers/runner.ts";

const from = (address: string): IncomingMessage => ({ headers: { from: address } }) as IncomingMessage;
/** An answer of which so many bytes wait to be read. */
const answer = (address: string, writableLength: number): ServerResponse =>
  ({ req: from(address), closed: false, writableLength }) as ServerResponse;

/** What cannot be read throws. */
function addressOf({ headers }: IncomingMessage): string {
  if (headers.from === "nobody") throw new Error("no address");
  return String(headers.from);
}
const ended: Unsent[] = [];
const faults: unknown[] = [];
const made = () => createUnsent<Unsent>(addressOf, answers => ended.push(answers), faults.push.bind(faults));
beforeEach(() => {
  ended.length = 0;
  faults.length = 0;
});

/** A connection of an address with answers of so many bytes, which are counted. */
function connection(unsent: ReturnType<typeof made>, address: string, ...bytes: number[]) {
  const answers = { underWay: bytes.map(each => answer(address, each)), waiting: undefined };
  unsent.watch(answers);
  return answers;
}
const quiet = (): Unsent => ({ underWay: [], waiting: undefined });

it("a connection is over with more than it may leave unread, and no longer once that is read", async () => {
  const unsent = made();
  const half = MOST_UNSENT.connection / 2;
  const within = connection(unsent, "a", half, half);
  const over = connection(unsent, "b", half, half, 1);
  await eventually(() => expect(unsent.isOver(over, from("b"))).toBe(true));
  expect(unsent.isOver(within, from("a"))).toBe(false);
  expect(unsent.isOver(quiet(), from("b"))).toBe(false);
  for (const each of over.underWay) Object.assign(each, { closed: true });
  await eventually(() => expect(unsent.isOver(over, from("b"))).toBe(false));
});

it("an address is over with what all of its connections leave unread, and other addresses are not", async () => {
  const unsent = made();
  const count = MOST_UNSENT.address / MOST_UNSENT.connection;
  const open = Array.from({ length: count }, () => connection(unsent, "a", MOST_UNSENT.connection));
  const last = connection(unsent, "a", 1);
  await eventually(() => expect(unsent.isOver(quiet(), from("a"))).toBe(true));
  expect(unsent.isOver(quiet(), from("b"))).toBe(false);
  unsent.forget(last);
  expect(unsent.isOver(quiet(), from("a"))).toBe(false);
  for (const each of open) unsent.forget(each);
});

it("an address is over as soon as it leaves too much unread, however much it asks for in one moment", () => {
  const unsent = made();
  const count = MOST_UNSENT.address / MOST_UNSENT.connection;
  const open = Array.from({ length: count }, () => connection(unsent, "a", MOST_UNSENT.connection));
  expect(unsent.isOver(quiet(), from("a"))).toBe(false);
  const more = [connection(unsent, "a", 1), connection(unsent, "a", 0)];
  expect(unsent.isOver(quiet(), from("a"))).toBe(true);
  expect(unsent.isOver(quiet(), from("b"))).toBe(false);
  for (const each of [...open, ...more]) unsent.forget(each);
});

it("a connection that has gone counts no more, though its answers never end", () => {
  const unsent = made();
  const gone = connection(unsent, "a", 2 * MOST_UNSENT.address);
  unsent.forget(gone);
  const next = connection(unsent, "a", 0);
  expect(unsent.isOver(quiet(), from("a"))).toBe(false);
  unsent.forget(next);
});

describe("all of them together leave too much unread", () => {
  const MIB = 1024 * 1024;

  it("who leaves most is ended, and nobody else is over", async () => {
    const unsent = made();
    const honest = connection(unsent, "honest", MIB);
    const each = MOST_UNSENT.address / MOST_UNSENT.connection;
    const fill = (address: string, count: number) =>
      Array.from({ length: count }, () => connection(unsent, address, MOST_UNSENT.connection));
    const less = fill("most", each - 1);
    const most = connection(unsent, "most", MOST_UNSENT.connection, 1);
    const open = Array.from({ length: 5 }, (_, i) => fill(`${i}`, each));
    await eventually(() => expect(ended).toContain(most));
    expect(ended).not.toContain(honest);
    expect(unsent.isOver(quiet(), from("honest"))).toBe(false);
    expect(unsent.isOver(quiet(), from("other"))).toBe(false);
    for (const one of [honest, most, ...open.flat(), ...less]) unsent.forget(one);
  });

  it("as many are ended as make room for a while, however little each of them leaves", async () => {
    const unsent = made();
    const open = Array.from({ length: 1_000 }, () => connection(unsent, "many", 16_384));
    const others = Array.from({ length: 8 }, (_, i) => connection(unsent, `${i}`, 10 * MIB));
    await eventually(() => expect(unsent.isOver(quiet(), from("other"))).toBe(false));
    expect(ended).toHaveLength(0);
    const last = connection(unsent, "last", MIB);
    // 2 MiB below what all of them may leave, from 640 KiB above it.
    await eventually(() => expect(ended).toEqual(open.slice(0, 168)));
    for (const one of [last, ...open, ...others]) unsent.forget(one);
  });
});

it("a fault in looking at a connection ends that one, is reported, and the others are counted", async () => {
  const unsent = made();
  const broken = connection(unsent, "nobody", 1);
  const over = connection(unsent, "b", MOST_UNSENT.connection + 1);
  await eventually(() => expect(unsent.isOver(over, from("b"))).toBe(true));
  expect([ended, faults]).toEqual([[broken], [new Error("no address")]]);
  unsent.forget(over);
});
