import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../../test/helpers/eventually.ts";
import { createByteBudget } from "./byte-budget.ts";
import { MAX_UNSENT } from "./rules.ts";

const ended: Connection[] = [];
const faults: unknown[] = [];
let unsent: ReturnType<typeof createByteBudget>;
beforeEach(() => {
  ended.length = 0;
  faults.length = 0;
  unsent = createByteBudget(addressOf, error => faults.push(error));
});

const addressOf = ({ headers }: IncomingMessage): string => String(headers.from);

/** A connection of an address, with pending responses of this many bytes. */
class Connection extends EventEmitter {
  destroyed = false;
  readonly underWay: (EventEmitter & { closed: boolean })[] = [];
  readonly address: string;

  constructor(address: string, ...bytes: number[]) {
    super();
    this.address = address;
    for (const each of bytes) this.ask(each);
  }

  /** Requests a response of this many bytes; returns whether it is rejected because too many bytes are unread. */
  ask(writableLength: number, closed = false): boolean {
    const req: unknown = { socket: this, headers: { from: this.address } };
    const answer = Object.assign(new EventEmitter(), { closed, writableLength });
    this.underWay.push(answer);
    const res: unknown = answer;
    return unsent.isExceeded(req as IncomingMessage, res as ServerResponse);
  }

  isOver = (): boolean => this.ask(0, true);

  read(): void {
    for (const each of this.underWay) each.closed = true;
  }

  destroy(): void {
    ended.push(this);
    this.destroyed = true;
  }
}

const MIB = 1024 * 1024;
const isOver = (address: string): boolean => new Connection(address).isOver();
/** This many connections of an address, each at the limit of unread bytes. */
const full = (address: string, many: number): Connection[] =>
  Array.from({ length: many }, () => new Connection(address, MAX_UNSENT.connection));
const FULL = MAX_UNSENT.address / MAX_UNSENT.connection;

it("a connection is over its limit with too many unread bytes, and no longer once they are read", async () => {
  const half = MAX_UNSENT.connection / 2;
  const within = new Connection("a", half, half);
  const over = new Connection("b", half, half, 1);
  expect(over.isOver()).toBe(true);
  expect([within.isOver(), isOver("b")]).toEqual([false, false]);
  over.read();
  await eventually(() => expect(over.isOver()).toBe(false));
});

it("unread bytes are counted without further requests", async () => {
  const open = full("a", FULL + 2);
  for (const each of open) each.read();
  const last = new Connection("a");
  expect(last.isOver()).toBe(true);
  await eventually(() => expect(last.isOver()).toBe(false));
});

it("an address is over its limit once all its connections together have too many unread bytes; others are not", () => {
  full("a", FULL);
  expect(isOver("a")).toBe(false);
  new Connection("a", 1);
  expect([isOver("a"), isOver("b")]).toEqual([true, false]);
});

it("a closed connection no longer counts, even if its responses never end", async () => {
  const gone = new Connection("a", 2 * MAX_UNSENT.address);
  expect(isOver("a")).toBe(true);
  gone.destroy();
  await eventually(() => expect(isOver("a")).toBe(false));
});

describe("all of them together exceed the budget", () => {
  it("the client with most unread bytes is disconnected, and then no one is over the limit", () => {
    const honest = new Connection("honest", MIB);
    full("most", FULL - 1);
    const most = new Connection("most", MAX_UNSENT.connection, 1);
    for (let i = 0; i < 5; i++) full(`${i}`, FULL);
    expect([isOver("honest"), isOver("other")]).toEqual([false, false]);
    expect(ended).toContain(most);
    expect(ended).not.toContain(honest);
  });
});
