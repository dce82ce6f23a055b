import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, it } from "@jest/globals";
import { createUnsent, MOST_UNSENT, type Unsent } from "../../sidecar/http/unsent.ts";
import { eventually } from "../helpers/runner.ts";

const from = (address: string): IncomingMessage => ({ headers: { from: address } }) as IncomingMessage;
/** An answer of which so many bytes wait to be read. */
const answer = (address: string, writableLength: number): ServerResponse =>
  ({ req: from(address), closed: false, writableLength }) as ServerResponse;

const made = () => createUnsent<Unsent>(({ headers }) => String(headers.from));
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
  await eventually(() => expect(unsent.isOver(over, from("b"))).toBe("own"));
  expect(unsent.isOver(within, from("a"))).toBeUndefined();
  expect(unsent.isOver(quiet(), from("b"))).toBeUndefined();
  for (const each of over.underWay) Object.assign(each, { closed: true });
  await eventually(() => expect(unsent.isOver(over, from("b"))).toBeUndefined());
});

it("an address is over with what all of its connections leave unread, and other addresses are not", async () => {
  const unsent = made();
  const count = MOST_UNSENT.address / MOST_UNSENT.connection;
  const open = Array.from({ length: count }, () => connection(unsent, "a", MOST_UNSENT.connection));
  const last = connection(unsent, "a", 1);
  await eventually(() => expect(unsent.isOver(quiet(), from("a"))).toBe("own"));
  expect(unsent.isOver(quiet(), from("b"))).toBeUndefined();
  unsent.forget(last);
  expect(unsent.isOver(quiet(), from("a"))).toBeUndefined();
  for (const each of open) unsent.forget(each);
});

it("an address is over as soon as it leaves too much unread, however much it asks for in one moment", () => {
  const unsent = made();
  const count = MOST_UNSENT.address / MOST_UNSENT.connection;
  const open = Array.from({ length: count }, () => connection(unsent, "a", MOST_UNSENT.connection));
  expect(unsent.isOver(quiet(), from("a"))).toBeUndefined();
  const more = [connection(unsent, "a", 1), connection(unsent, "a", 0)];
  expect(unsent.isOver(quiet(), from("a"))).toBe("own");
  expect(unsent.isOver(quiet(), from("b"))).toBeUndefined();
  for (const each of [...open, ...more]) unsent.forget(each);
});

it("a connection that has gone counts no more, though its answers never end", () => {
  const unsent = made();
  const gone = connection(unsent, "a", 2 * MOST_UNSENT.address);
  unsent.forget(gone);
  const next = connection(unsent, "a", 0);
  expect(unsent.isOver(quiet(), from("a"))).toBeUndefined();
  unsent.forget(next);
});

it("everybody is over while all of them together leave too much unread", async () => {
  const unsent = made();
  const count = MOST_UNSENT.all / MOST_UNSENT.connection + 1;
  const open = Array.from({ length: count }, (_, i) => connection(unsent, `${i}`, MOST_UNSENT.connection));
  await eventually(() => expect(unsent.isOver(quiet(), from("other"))).toBe("all"));
  for (const each of open) unsent.forget(each);
  expect(unsent.isOver(quiet(), from("other"))).toBeUndefined();
});
