import { boot } from "./bridge.ts";
import { act } from "./entities.ts";
import { DisconnectedError } from "./errors.ts";
import type { Input } from "./host.ts";
import { report } from "./report.ts";
import { tickNumber } from "./schedule.ts";
import { surface } from "./surface.ts";

/** How long a joining player waits for the script, in ticks (30 seconds). */
const JOIN_TIMEOUT_TICKS = 600;

type Join = Input & { readonly is: "join" };
type Spawn = Input & { readonly is: "spawn" };
type Handler = (event: AsyncPlayerJoinBeforeEvent) => Promise<unknown>;

/** A joining player for whom the script has not decided yet. */
interface Waiting {
  readonly join: Join;
  readonly until: number;
  is: "asked" | "let in" | "gone";
  /** whether their join was due, so that they had to wait */
  isLate?: boolean;
  /** the decision of the script in the meantime */
  spawn?: Spawn;
}

const handlers = new Set<Handler>();
const waiting = new Map<string, Waiting>();
const pending = new WeakMap<object, Waiting>();

/** The event before a player joins, whose handlers decide whether they may. */
class AsyncPlayerJoinBeforeEvent {
  get name(): string {
    return pending.get(this)?.join.player.name ?? "";
  }
  get persistentId(): string {
    return pending.get(this)?.join.player.persistentId ?? "";
  }
  get splitScreenSlot(): undefined {
    return undefined;
  }
  isValid(): boolean {
    return pending.get(this)?.is === "asked";
  }
  allowJoin(): void {
    decide(this, "let in");
  }
  disallowJoin(reason?: string): void {
    decide(this, "gone", reason);
  }
  disconnect(reason?: string): void {
    decide(this, "gone", reason);
  }
}

function decide(event: AsyncPlayerJoinBeforeEvent, is: "let in" | "gone", reason?: string): void {
  const one = pending.get(event);
  if (one?.is !== "asked") throw new DisconnectedError(one?.join.player.id);
  if (reason !== undefined && typeof reason !== "string")
    throw new TypeError("Native optional type conversion failed.");
  if (is === "gone") refuse(one, reason);
  else one.is = is;
}

function refuse(one: Waiting, reason?: string): void {
  one.is = "gone";
  act(one.join.player.id, { is: "refuse", ...(reason !== undefined && { reason }) });
}

class AsyncPlayerJoinBeforeEventSignal {
  subscribe(callback: Handler): Handler {
    if (typeof callback !== "function") throw new TypeError("Native type conversion failed.");
    handlers.add(callback);
    return callback;
  }
  unsubscribe(callback: Handler): boolean {
    return handlers.delete(callback);
  }
}

const signal = new AsyncPlayerJoinBeforeEventSignal();

class AdminBeforeEvents {
  get asyncPlayerJoin(): AsyncPlayerJoinBeforeEventSignal {
    return signal;
  }
}

export const beforeEvents = new AdminBeforeEvents();

/** Runs the handlers for joining players, who wait while a returned promise is pending. */
export function askJoins(inputs: readonly Input[]): void {
  if (handlers.size === 0 || boot.quirks.joins === "unasked") return;
  for (const join of inputs) {
    if (join.is !== "join" || join.player.simulated) continue;
    const timeoutTicks = boot.quirks.joinTicks ?? JOIN_TIMEOUT_TICKS;
    const one: Waiting = { join, until: tickNumber() + timeoutTicks, is: "asked" };
    waiting.set(join.player.id, one);
    const event = new AsyncPlayerJoinBeforeEvent();
    pending.set(event, one);
    // Called immediately; an exception is a rejection.
    const calls = [...handlers].map(handler => new Promise(done => done(handler(event))));
    Promise.all(calls).then(
      () => {
        if (one.is === "asked") one.is = "let in";
      },
      error => {
        report(error, "Unhandled promise rejection: ");
        if (one.is === "asked") refuse(one);
      },
    );
  }
}

/** The effect of an input for a player who may be waiting; undefined: none yet. */
export function passJoins(input: Input): Input | undefined {
  if (input.is !== "join" && input.is !== "spawn" && input.is !== "leave") return input;
  const one = waiting.get(input.is === "join" ? input.player.id : input.id);
  if (one === undefined) return input;
  if (input.is === "join") {
    one.isLate = one.is === "asked";
    if (one.isLate) return undefined;
    waiting.delete(input.player.id);
    return one.is === "let in" ? input : undefined;
  }
  // Input of an earlier visit is applied first.
  if (!one.isLate) return input;
  if (input.is === "leave") one.is = "gone";
  if (input.is === "spawn") one.spawn = input;
  return undefined;
}

/** Players who no longer wait: their join, and the input after it. */
export function takeJoins(): Input[] {
  const inputs: Input[] = [];
  for (const [id, one] of waiting) {
    if (one.is === "asked" && tickNumber() >= one.until) refuse(one);
    if (one.is === "asked") continue;
    waiting.delete(id);
    if (one.is === "let in") inputs.push(one.join, ...(one.spawn ? [one.spawn] : []));
  }
  return inputs;
}

surface("AdminBeforeEvents", AdminBeforeEvents, "asyncPlayerJoin:r");
surface("AsyncPlayerJoinBeforeEventSignal", AsyncPlayerJoinBeforeEventSignal, "subscribe:r unsubscribe:r");
surface(
  "AsyncPlayerJoinBeforeEvent",
  AsyncPlayerJoinBeforeEvent,
  "name:r persistentId:r splitScreenSlot:r isValid:r allowJoin:r disallowJoin:r disconnect:r",
);
