import { outcome } from "../../../../shared/facts.ts";
import {
  checkJson,
  type Guard,
  list,
  num,
  object,
  optional,
  tagged,
  text,
} from "../../../../shared/guard.ts";
import { NAME_LENGTH } from "../../../../shared/limits.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { MAX_NAMES } from "../../bridge/parts.ts";
import { snapshot } from "../../bridge/snapshot.ts";
import type { Bus, BusEvent } from "../ports/game.ts";
import type { Connection } from "./connection.ts";
import publish from "./lua/publish.lua";
import { createHearing, isPast } from "./places.ts";
import { entriesOf, maybeText, textOf } from "./reply.ts";
import { script } from "./script.ts";

const PUBLISH = script(publish, { isFenced: true, mayOverfill: true });

/** How long the bus holds what it told, in milliseconds: long enough for a process that has lost its connection. */
const HELD_MS = 60_000;

const time = num(0, Number.MAX_SAFE_INTEGER);
const figures = object({ memoryUsedMB: time, memoryMaxMB: time, cpuUsage: num(-1, 1_000_000) });
const event: Guard<BusEvent> = tagged("kind", {
  outcome: object({ outcome, names: optional(list(text(NAME_LENGTH), MAX_NAMES)) }),
  snapshot: object({ snapshot }),
  figures: object({ figures, from: optional(text(36)) }),
});

/** What tells the queue that a poll may have something to take. */
export type OnWake = (listener: () => void) => void;

/** The bus of many processes: a stream that each of them reads. */
export function createRedisBus(redis: Connection, clock: Clock, log: Pick<Log, "error">) {
  const listeners = new Set<(event: BusEvent) => void>();
  const wakers: (() => void)[] = [];
  let place = "0-0";
  let hasBegun = false;
  const hearing = createHearing(clock, () => place);

  function tell(what: BusEvent): void {
    for (const listener of listeners) listener(what);
  }

  async function read<T>(key: string, guard: Guard<T>): Promise<T | undefined> {
    const stored = maybeText(await redis.ask("GET", redis.key(key)));
    if (stored === undefined) return undefined;
    const known = checkJson(guard, stored);
    if ("value" in known) return known.value;
    log.error({ key, fault: known.fault }, "what another sidecar has stored cannot be read");
    return undefined;
  }

  function onEntry(kind: string, value: string): void {
    if (kind === "wake") for (const wake of wakers) wake();
    if (kind === "wake") return;
    const known = checkJson(event, value);
    if ("fault" in known)
      log.error({ kind, fault: known.fault }, "what another sidecar has told cannot be read");
    else tell(known.value);
  }

  const bus: Bus = {
    async publish(what, turn) {
      const { kind } = what;
      const values = [kind, JSON.stringify(what), HELD_MS];
      const keys = kind === "snapshot" ? ["bus", "snapshot"] : ["bus"];
      await hearing.heard(textOf(await redis.run(PUBLISH, keys, values, turn)));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async lastSnapshot() {
      const last = await read("snapshot", event);
      return last?.kind === "snapshot" ? last.snapshot : undefined;
    },
    close: async () => listeners.clear(),
  };

  // What is told from here on is heard, or from where it was heard last.
  redis.onServer(async ({ client }) => {
    const last = await redis.askOn(client, "XREVRANGE", redis.key("bus"), "+", "-", "COUNT", "1");
    const newest = entriesOf(last)[0]?.id ?? "0-0";
    // A Redis that has lost what was read may go on under lower ids.
    if (!hasBegun || !isPast(newest, place)) place = newest;
    hasBegun = true;
  });

  /** Tells what has changed while nothing was heard. */
  async function reload(): Promise<void> {
    const last = await bus.lastSnapshot();
    if (last) tell({ kind: "snapshot", snapshot: last });
  }
  redis.reach.onChange(isAway => {
    if (!isAway) void reload().catch(() => undefined);
  });

  return {
    bus,
    onWake: (listener => void wakers.push(listener)) satisfies OnWake,
    stream: {
      key: redis.key("bus"),
      place: () => place,
      onEntries(entries: ReturnType<typeof entriesOf>): void {
        for (const { id, fields } of entries) {
          place = id;
          onEntry(fields.get("k") ?? "", fields.get("v") ?? "");
        }
        hearing.moved();
      },
    },
  };
}
