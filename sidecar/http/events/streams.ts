import type { Duplex } from "node:stream";
import type { Feed } from "../../app/feed.ts";
import { LEFT_OVER, type Places, SLOW_MS } from "../../domain/crowds.ts";
import type { NamedRate } from "../../domain/rate.ts";
import type { Clock, Log, Rates } from "../../ports.ts";
import { createDues } from "../crowds/dues.ts";
import { createMembers, type Member } from "../crowds/members.ts";
import { createTurns } from "../crowds/turns.ts";
import type { SidecarMetrics } from "../metrics.ts";
import type { SnapshotAnswers } from "../routes/snapshot.ts";
import { entryFrame, gapFrame, heartbeatFrame, openingFrame, placeFrame, snapshotFrame } from "./frames.ts";
import { bitOf, gets, type Picked, wantsOften, worldOf } from "./query.ts";

/** Bytes of what was missed that are handed to a connection before it has to read them. */
const PIECE_BYTES = 64 * 1024;

/** Time between two heartbeats for readers who want them often, in milliseconds: who misses them notices it within 15 s. */
export const OFTEN_MS = 5_000;

/** Of a game server, what its readers were told last; undefined where there was no reader. */
type Told = Record<(typeof FIGURES)[number], Buffer | undefined>;
const FIGURES = ["status", "players"] as const;
const UNTOLD: Told = { status: undefined, players: undefined };

/** As if readers had been told something that is never so: whatever is so now is told. */
const NOTHING_TOLD = Buffer.alloc(0);

/** A reader of the feed, on a bare connection: each frame is made once for all readers. */
interface Reader extends Member {
  types: Picked;
  /** the place that it has got to while it is given what it missed; undefined when it has everything */
  place: string | undefined;
  /** the newest place that it was told is gone */
  gone: string | undefined;
  /** it has to read, and has not since it was looked at last; only while it is given what it missed */
  isStuck: boolean;
}

/** Readers who picked the same. */
interface Group {
  readers: Set<Reader>;
  /** the place that all of them know */
  place: string;
}

export type Streams = ReturnType<typeof createStreams>;

/** The open streams of `GET /events`; `bufferBytes` may wait for one of them to read. */
export function createStreams(deps: {
  clock: Clock;
  feed: Feed;
  /** whether chat may be read at the moment */
  hasChat(): boolean;
  /** each game server, the first one first, with the bodies of `GET /status` and `GET /players` while it reports */
  worlds: readonly { name: string; body: SnapshotAnswers["body"] }[];
  log: Log;
  metrics: SidecarMetrics;
  rates: Pick<Rates, "take">;
  /** of what is missed, by which an address pays for it */
  rate: NamedRate;
  places: Places;
  bufferBytes: number;
  heartbeatMs: number;
}) {
  const { clock, feed, log, rates, rate } = deps;
  const worlds = deps.worlds.map(world => ({ ...world, told: { ...UNTOLD } }));
  const servers = worlds.map(({ name }) => name);
  const oftenMs = Math.min(deps.heartbeatMs, OFTEN_MS);
  const groups = new Map<Picked, Group>();
  const readers = createMembers<Reader>({
    ...deps,
    slow: "closed an event stream that does not read",
    left(reader) {
      turns.end(reader);
      dues.forget(reader);
      const group = groups.get(reader.types);
      if (group?.readers.delete(reader) && group.readers.size === 0) groups.delete(reader.types);
    },
  });
  /** by what it is decided who gets an entry */
  const now = (): { servers: readonly string[]; hasChat: boolean } => ({ servers, hasChat: deps.hasChat() });

  function sendAll(group: Group, bytes: Buffer): void {
    readers.each(reader => readers.send(reader, bytes), group.readers);
  }

  /** A crowd that comes back holds nobody up. */
  const turns = createTurns<Reader>({ clock, piece: catchUp, failed: readers.failed });

  /** Who waits for its address to pay has no turn meanwhile, nor keeps others from theirs. */
  const dues = createDues<Reader>({
    ...{ clock, rates, rate },
    goOn: turns.goOn,
    wait: turns.end,
    again: turns.begin,
    giveUp(reader) {
      log.info({}, "ended an event stream whose address has missed too much");
      endStream(reader);
    },
    failed: readers.failed,
  });

  /** Has a reader go on once it has read; one that takes long leaves its turns to others of its address meanwhile. */
  function awaitReading(reader: Reader): void {
    let isSlow = false;
    const stop = clock.after(SLOW_MS, () => {
      isSlow = true;
      turns.end(reader);
    });
    reader.raw.once("drain", () => {
      stop();
      reader.isStuck = false;
      if (!isSlow) turns.goOn(reader);
      else if (readers.has(reader)) turns.begin(reader);
    });
  }

  /** Gives a reader the next piece of what it missed, and once it has everything, what happens from then on. */
  function catchUp(reader: Reader): void {
    if (reader.place === undefined || !readers.has(reader)) return;
    const { gap, before, entries } = feed.after(reader.place, reader.gone);
    const frames: Buffer[] = gap ? [gapFrame(before)] : [];
    let bytes = 0;
    let place = before;
    const { types } = reader;
    const by = now();
    /** what the reader knows its place to be */
    let known = gap ? place : reader.place;
    for (const entry of entries) {
      if (bytes > PIECE_BYTES) break;
      ({ id: place } = entry);
      if (!gets(types, entry, by)) continue;
      const frame = entryFrame(entry);
      frames.push(frame);
      bytes += frame.length;
      known = place;
    }
    if (!dues.pay(reader, bytes)) return;
    reader.gone = feed.floor();
    reader.place = place;
    if (place === feed.last()) {
      if (known !== place) frames.push(placeFrame(place));
      join(reader, frames);
    } else if (readers.send(reader, Buffer.concat(frames))) turns.goOn(reader);
    else awaitReading(reader);
  }

  /** A reader has everything: it gets the rest of its frames, the present figures, and then what happens. */
  function join(reader: Reader, frames: Buffer[]): void {
    reader.place = undefined;
    turns.end(reader);
    const group = groups.get(reader.types) ?? { readers: new Set(), place: feed.last() };
    groups.set(reader.types, group);
    group.readers.add(reader);
    const world = worlds[worldOf(reader.types)];
    for (const type of FIGURES) {
      const body = reader.types & bitOf(type) ? world?.body(`/${type}`) : undefined;
      if (world === undefined || body === undefined) continue;
      world.told[type] ??= body;
      frames.push(snapshotFrame(type, body));
    }
    if (frames.length > 0) readers.send(reader, Buffer.concat(frames));
  }

  feed.onEvents(entries => {
    // Of a game that comes back is told, though nothing has changed.
    for (const { event } of entries) {
      if (event.event !== "server" || event.state !== "away") continue;
      const world = worlds.find(({ name }) => name === (event.server ?? servers[0]));
      if (world) world.told = { status: NOTHING_TOLD, players: NOTHING_TOLD };
    }
    const by = now();
    for (const [types, group] of groups) {
      const frames = entries.filter(entry => gets(types, entry, by));
      if (frames.length === 0) continue;
      sendAll(group, Buffer.concat(frames.map(entryFrame)));
      group.place = frames.at(-1)?.id ?? group.place;
    }
  });

  // Whoever comes back is told of the gap.
  feed.onHole(() => readers.each(endStream));

  function beat(isOften: boolean): void {
    const last = feed.last();
    for (const [types, group] of groups) {
      if (isOften !== wantsOften(types)) continue;
      sendAll(group, heartbeatFrame(group.place === last ? undefined : last));
      group.place = last;
    }
    readers.each(reader => {
      const { isStuck, place, raw, types } = reader;
      if (place === undefined) return;
      if (!raw.writableNeedDrain) {
        // Who waits for a turn knows that the service is there. Its place is that of what it gets.
        if (isOften === wantsOften(types)) readers.send(reader, heartbeatFrame(undefined));
      } else if (!isOften) {
        if (isStuck) readers.cutOff(reader);
        reader.isStuck = true;
      }
    });
  }

  const timers = [clock.every(deps.heartbeatMs, () => beat(false)), clock.every(oftenMs, () => beat(true))];
  let isClosed = false;

  return {
    count: readers.count,
    isFull: readers.isFull,
    /**
     * Begins a stream behind `head`, the headers of the answer; `since`: the id that the reader has seen last, if any. One
     * that comes while the service stops ends at once: a browser asks again.
     */
    open(
      raw: Duplex,
      head: Buffer,
      { address, types, since }: { address: string; types: Picked; since: string | undefined },
    ): void {
      const reader: Reader = { raw, address, types, place: since, gone: undefined, isStuck: false };
      readers.add(reader);
      raw.once("close", () => readers.forget(reader));
      // What comes behind the request is not dealt with; that the reader has left is seen by it.
      raw.once("end", () => raw.destroy());
      let more = LEFT_OVER.whole;
      raw.on("data", (bytes: Buffer) => {
        more -= bytes.length;
        if (more < 0) raw.destroy();
      });
      raw.write(head);
      const everyMs = wantsOften(types) ? oftenMs : deps.heartbeatMs;
      if (isClosed) endStream(reader);
      else if (since === undefined) join(reader, [openingFrame(everyMs, feed.last())]);
      else {
        readers.send(reader, openingFrame(everyMs, undefined));
        // Another process may have handed out what is still on its way to this one.
        feed.sync().then(
          () => readers.has(reader) && turns.begin(reader),
          () => endStream(reader),
        );
      }
    },
    /** Has readers who missed something wait for this turn of the event loop: a connection is taken. */
    onConnection: turns.hold,
    /** Tells the figures of a game server that have changed; `place`: which of them it is, from 0 on. */
    onSnapshot(place: number): void {
      const world = worlds[place];
      if (world === undefined) return;
      for (const type of FIGURES) {
        const picks = (types: Picked): boolean => (types & bitOf(type)) !== 0 && worldOf(types) === place;
        const readers = [...groups].filter(([types]) => picks(types));
        if (readers.length === 0) {
          // Without readers nothing is made for them.
          world.told[type] = undefined;
          continue;
        }
        const body = world.body(`/${type}`);
        if (body === undefined || world.told[type]?.equals(body)) continue;
        world.told[type] = body;
        const frame = snapshotFrame(type, body);
        for (const [, group] of readers) sendAll(group, frame);
      }
    },
    /** Ends every stream, and resolves when they are gone; after `withinMs` milliseconds they are cut off. */
    close(withinMs: number): Promise<void> {
      for (const stop of timers) stop();
      isClosed = true;
      return readers.close(withinMs, endStream);
    },
  };
}

function endStream({ raw }: Member): void {
  raw.once("finish", () => raw.destroy());
  raw.end();
}
