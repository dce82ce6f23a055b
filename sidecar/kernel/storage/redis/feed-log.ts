import { checkJson, type Guard, object, optional, text } from "../../../../shared/guard.ts";
import { ID_LENGTH } from "../../../../shared/limits.ts";
import { feedEvent } from "../../../../shared/public/events.ts";
import { readable } from "../../../features/feed/files/feed-guards.ts";
import { MAX_KEYS } from "../../../features/feed/files/feed-log.ts";
import {
  type Bounds,
  createWindow,
  type FeedEntry,
  type HookState,
  hookState,
  isWebLine,
} from "../../../features/feed/rules.ts";
import { NEVER_ONLINE, type Presence, presence } from "../../../features/players/rules.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { FeedLog, NewEntry, PresenceLog } from "../ports/feed.ts";
import { StorageAway, type Turn } from "../ports.ts";
import { untilAgreed } from "./agree.ts";
import type { Client } from "./client.ts";
import type { Connection } from "./connection.ts";
import appendEvents from "./lua/append-events.lua";
import setHook from "./lua/set-hook.lua";
import tidyFeed from "./lua/tidy-feed.lua";
import { createHearing, isPast } from "./places.ts";
import { entriesOf, listOf, maybeText, numberOf, pairsOf, type StreamEntry, textOf } from "./reply.ts";
import { feedScript, script } from "./script.ts";

// Bounded by what it lets go of: a Redis that is full keeps on telling what happens.
const APPEND = feedScript(appendEvents, { isFenced: true, mayOverfill: true });
const SET_HOOK = script(setHook, { mayOverfill: true });
const TIDY = feedScript(tidyFeed, { mayOverfill: true });

/** Entries past the bounds that wait for processes which have lost their connection, and for how long, in milliseconds. */
const SPARE_ENTRIES = 10_000;
const SPARE_MS = 60_000;
const TIDY_MS = 5_000;

const isTrue: Guard<true> = (value, path = "body") => (value === true ? undefined : `${path}: expected true`);

const stored: Guard<Omit<FeedEntry, "id">> = object({
  event: feedEvent,
  except: optional(text(ID_LENGTH)),
  withheld: optional(isTrue),
});

interface StoredPresence {
  version: string;
  presence: Presence;
}

interface Appended {
  /** of the last one; blank: none was new */
  place: string;
  /** not appended before */
  fresh: NewEntry[];
}

function toldOf(version: string, text: string): StoredPresence {
  const read = checkJson(presence, text);
  return { version, presence: "value" in read ? read.value : NEVER_ONLINE };
}

/** The feed of many processes: a stream that each of them reads into a window of its own. */
export function createRedisFeedLog(deps: {
  redis: Connection;
  clock: Clock;
  /** of this machine: what waits on it waits for the network */
  machine: Clock;
  log: Pick<Log, "error" | "warn">;
  bounds: Bounds;
  /** shows that this process is the one to send what webhooks wait for */
  dutyToken(): string;
}) {
  const { redis, clock, machine, log, bounds } = deps;
  const listeners = new Set<(entries: readonly FeedEntry[]) => void>();
  const holeListeners: (() => void)[] = [];
  let window = createWindow(bounds, "0-0");
  let place = "0-0";
  let isLoaded = false;
  let heardMs = 0;
  const hearing = createHearing(machine, () => place);

  function entryOf({ id, fields }: StreamEntry): FeedEntry[] {
    const read = checkJson(stored, fields.get("e") ?? "");
    if ("value" in read) return [{ id, ...read.value, event: readable(read.value.event) }];
    log.error({ id, fault: read.fault }, "an event that another sidecar has stored cannot be read");
    return [];
  }

  /** Reads the end of the stream into the window, where that does not go on from what was read before. */
  async function load(on: Client): Promise<void> {
    const last = await redis.askOn(on, "XRANGE", redis.key("feed"), place, place);
    const floor = maybeText(await redis.askOn(on, "GET", redis.key("feed-floor"))) ?? "0-0";
    // A Redis that has lost what was read may go on under lower ids.
    const isHeld = place === floor || (entriesOf(last).length > 0 && isPast(place, floor));
    if (isLoaded && isHeld) return;
    const most = `${bounds.entries + SPARE_ENTRIES}`;
    const reply = await redis.askOn(on, "XREVRANGE", redis.key("feed"), "+", "-", "COUNT", most);
    const found = entriesOf(reply).reverse();
    place = found.at(-1)?.id ?? floor;
    window = createWindow(bounds, floor, found.flatMap(entryOf));
    window.trim(clock.now());
    if (isLoaded) {
      log.warn({}, "some of what happened is gone: readers are told of a gap");
      for (const listener of holeListeners) listener();
    }
    isLoaded = true;
  }

  function onEntries(entries: StreamEntry[]): void {
    const last = entries.at(-1);
    if (last === undefined) return;
    place = last.id;
    heardMs = Math.max(0, redis.now() - Number.parseInt(last.id, 10));
    const known = entries.flatMap(entryOf);
    window.add(known, clock.now());
    for (const listener of listeners) listener(known);
    hearing.moved();
  }

  /**
   * Appends entries of the world whose keys begin with `scope`; of what was told of it, only if that is still of its version: the
   * place and those that are new, or what was told instead.
   */
  async function appendOnce(
    entries: readonly NewEntry[],
    turn: Turn | undefined,
    { scope, version, presence }: { scope: string; version: string; presence?: Presence | undefined },
  ): Promise<Appended | { told: StoredPresence }> {
    const ofWorld = ["presence", "feed-keys", "feed-known"].map(name => `${scope}${name}`);
    const reply = await redis.run(
      APPEND,
      ["feed", ...ofWorld, "feed-floor", "feed-web"],
      [
        ...[version, presence ? JSON.stringify(presence) : ""],
        ...[bounds.entries + SPARE_ENTRIES, bounds.entries + SPARE_ENTRIES / 2, MAX_KEYS],
        ...entries.flatMap(({ key = "", ...entry }) => [
          ...[key, isWebLine(entry.event) ? "web" : ""],
          JSON.stringify(entry),
        ]),
      ],
      turn,
    );
    const [isDone, what, more] = listOf(reply);
    if (isDone !== 1) return { told: toldOf(textOf(what), textOf(more)) };
    const fresh = listOf(more).flatMap(place => entries[numberOf(place)] ?? []);
    return { place: textOf(what), fresh };
  }

  async function tidy(): Promise<void> {
    window.trim(clock.now());
    const now = redis.now();
    const read = now - SPARE_MS;
    const times = [read, Math.max(0, Math.min(read, now - Math.min(bounds.forMs, now)))];
    const most = [bounds.entries, ...times, Math.floor(bounds.entries / 2)];
    await redis.run(TIDY, ["feed", "feed-floor", "feed-web"], most);
  }
  // Where Redis is away there is nothing to let go of.
  const stopTidying = clock.every(TIDY_MS, () => void tidy().catch(() => undefined));

  /** Appends entries of a world, whatever was told of it; resolves with those that are new. */
  async function tell(
    scope: string,
    entries: readonly NewEntry[],
    turn: Turn | undefined,
  ): Promise<readonly NewEntry[]> {
    const done = await appendOnce(entries, turn, { scope, version: "" });
    if ("told" in done) return [];
    if (done.place !== "") await hearing.heard(done.place);
    return done.fresh;
  }

  /** What is told of the world whose keys begin with `scope`. */
  function presenceOf(scope: string): PresenceLog {
    let told = toldOf("0", "");
    return {
      tellOnce: (entries, turn) => tell(scope, entries, turn),
      async append(decide, turn) {
        const last = await untilAgreed("the feed", async () => {
          const { version, presence: before } = told;
          const { presence = before, entries } = decide(before);
          const after = presence === before ? undefined : presence;
          const done = await appendOnce(entries, turn, { scope, version, presence: after });
          if ("place" in done) return { answer: done.place };
          ({ told } = done);
          return undefined;
        });
        if (last !== "") await hearing.heard(last);
      },
      async presence() {
        const known = new Map(pairsOf(await redis.ask("HGETALL", redis.key(`${scope}presence`))));
        told = toldOf(known.get("version") ?? "0", known.get("told") ?? "");
        return told.presence;
      },
    };
  }

  const feedLog: FeedLog = {
    async tell(entries, turn) {
      await tell("", entries, turn);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    // What another process has appended is heard here as well.
    onRepeated: () => undefined,
    onHole: listener => void holeListeners.push(listener),
    async sync() {
      const [last] = entriesOf(await redis.ask("XREVRANGE", redis.key("feed"), "+", "-", "COUNT", "1"));
      if (last && !(await hearing.heard(last.id)))
        throw new StorageAway("the feed cannot be read at the moment");
    },
    newest: async limit => window.newest(limit),
    async read(after, limit) {
      const { gap, entries } = window.after(after);
      return { gone: gap, entries: entries.slice(0, limit) };
    },
    last: async () => window.last(),
    async hooks() {
      const known = new Map<string, HookState>();
      for (const [url, state] of pairsOf(await redis.ask("HGETALL", redis.key("hooks")))) {
        const read = checkJson(hookState, state);
        if ("value" in read) known.set(url, read.value);
      }
      return known;
    },
    async setHook(url, state) {
      await redis.run(
        SET_HOOK,
        ["webhooks", "hooks"],
        [deps.dutyToken(), url, state ? JSON.stringify(state) : ""],
      );
    },
    async close() {
      stopTidying();
      listeners.clear();
    },
  };

  return {
    feedLog,
    presenceOf,
    load,
    /** How much later than it was stored the newest event was heard, in milliseconds. */
    lagMs: () => heardMs,
    stream: { key: redis.key("feed"), place: () => place, onEntries },
  };
}
