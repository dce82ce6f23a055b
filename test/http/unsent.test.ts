import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { MOST_UNSENT } from "../../sidecar/domain/crowds.ts";
import { createAnswerCount } from "../../sidecar/http/crowds/under-way.ts";
import { eventually } from "../helpers/runner.ts";

const ended: Connection[] = [];
const faults: unknown[] = [];
let count: ReturnType<typeof createAnswerCount>;
beforeEach(() => {
  ended.length = 0;
  faults.length = 0;
  count = createAnswerCount(addressOf, error => faults.push(error));
});

/** What cannot be read throws. */
function addressOf({ headers }: IncomingMessage): string {
  if (headers.from === "nobody") throw new Error("no address");
  return String(headers.from);
}

/** A connection of an address, with answers of so many bytes under way. */
class Connection extends EventEmitter {
  bytesRead = 0;
  readonly underWay: (EventEmitter & { closed: boolean })[] = [];
  readonly address: string;

  constructor(address: string, ...bytes: number[]) {
    super();
    this.address = address;
    for (const each of bytes) this.ask(each);
  }

  /** Asks for an answer of so many bytes; whether that is refused, as too many wait to be read. */
  ask(writableLength: number, closed = false, more = {}): boolean {
    const headers = { from: this.address, ...more };
    const req = { socket: this as unknown, complete: false, headers } as IncomingMessage;
    const answer = Object.assign(new EventEmitter(), { req, closed, writableLength });
    this.underWay.push(answer);
    const res: unknown = answer;
    return count.begin(req, res as ServerResponse);
  }

  isOver = (): boolean => this.ask(0, true);

  read(): void {
    for (const each of this.underWay) each.closed = true;
  }

  destroy(): void {
    ended.push(this);
    this.emit("close");
  }
}

const MIB = 1024 * 1024;
const isOver = (address: string): boolean => new Connection(address).isOver();
/** So many connections of an address that leave unread what one may leave. */
const full = (address: string, many: number): Connection[] =>
  Array.from({ length: many }, () => new Connection(address, MOST_UNSENT.connection));
const FULL = MOST_UNSENT.address / MOST_UNSENT.connection;

it("a connection is over with more than it may leave unread, and no longer once that is read", async () => {
  const half = MOST_UNSENT.connection / 2;
  const within = new Connection("a", half, half);
  const over = new Connection("b", half, half, 1);
  expect(over.isOver()).toBe(true);
  expect([within.isOver(), isOver("b")]).toEqual([false, false]);
  over.read();
  await eventually(() => expect(over.isOver()).toBe(false));
});

it("what is left unread is counted though nobody asks for more", async () => {
  const open = full("a", FULL + 2);
  for (const each of open) each.read();
  const last = new Connection("a");
  expect(last.isOver()).toBe(true);
  await eventually(() => expect(last.isOver()).toBe(false));
});

it("an address is over as soon as all of its connections leave too much unread, and other addresses are not", () => {
  const open = full("a", FULL);
  expect(isOver("a")).toBe(false);
  const last = new Connection("a", 1);
  expect([isOver("a"), isOver("b")]).toEqual([true, false]);
  last.destroy();
  expect(isOver("a")).toBe(false);
  for (const each of open) each.destroy();
});

it("a connection that has gone counts no more, though its answers never end", () => {
  const gone = new Connection("a", 2 * MOST_UNSENT.address);
  expect(isOver("a")).toBe(true);
  gone.destroy();
  expect(isOver("a")).toBe(false);
});

it("a connection that is ended as its body goes on behind the answer counts no more", async () => {
  const open = new Connection("a");
  open.ask(2 * MOST_UNSENT.address, false, { "transfer-encoding": "chunked" });
  expect(isOver("a")).toBe(true);
  open.underWay[0]?.emit("finish");
  open.bytesRead = 16 * 1024;
  open.bytesRead++;
  await eventually(() => expect(ended).toEqual([open]));
  expect([isOver("a"), isOver("a")]).toEqual([false, false]);
});

describe("all of them together leave too much unread", () => {
  it("who leaves most is ended, and nobody else is over", () => {
    const honest = new Connection("honest", MIB);
    full("most", FULL - 1);
    const most = new Connection("most", MOST_UNSENT.connection, 1);
    for (let i = 0; i < 5; i++) full(`${i}`, FULL);
    expect([isOver("honest"), isOver("other")]).toEqual([false, false]);
    expect(ended).toContain(most);
    expect(ended).not.toContain(honest);
  });

  it("as many are ended as make room for a while, however little each of them leaves", () => {
    const open = Array.from({ length: 1_000 }, () => new Connection("many", 16_384));
    for (let i = 0; i < 8; i++) new Connection(`${i}`, 10 * MIB);
    expect(isOver("other")).toBe(false);
    expect(ended).toHaveLength(0);
    new Connection("last", MIB);
    // 2 MiB below what all of them may leave, from 640 KiB above it.
    expect(isOver("other")).toBe(false);
    expect(ended).toEqual(open.slice(0, 168));
  });
});

it("a fault in looking at a connection ends that one, is reported, and the others are counted", () => {
  const broken = new Connection("nobody", 1);
  const over = new Connection("b", MOST_UNSENT.connection + 1);
  expect(over.isOver()).toBe(true);
  expect([ended, faults]).toEqual([[broken], [new Error("no address")]]);
});
