import type { ServerResponse } from "node:http";
import { dropOldest } from "../../../../shared/drop-oldest.ts";
import type { ClientLimits } from "../../../kernel/http/overload/rules.ts";
import { createSubscribers, type Subscriber } from "../../../kernel/http/subscribers.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { SidecarMetrics } from "../../../platform/metrics.ts";
import type { Feed } from "../feed.ts";
import { entryFrame, gapFrame, heartbeatFrame, openingFrame, placeFrame, snapshotFrame } from "./frames.ts";
import { bitOf, type EventFilter, gets, serverPlaceOf, wantsOften } from "./query.ts";

/** Bytes of what was missed that are handed to a connection before it has to read them. */
const PIECE_BYTES = 64 * 1024;

/** Pieces that are kept while nothing happens: readers who come back together have mostly missed alike. */
const MOST_PIECES_KEPT = 32;

/** Time between two heartbeats for readers who want them often, in milliseconds: who misses them notices it within 15 s. */
export const OFTEN_MS = 5_000;

/** Of a game server, what its readers were told last; undefined where there was no reader. */
type DeliveredFigures = Record<(typeof FIGURES)[number], Buffer | undefined>;
const FIGURES = ["status", "players"] as const;
const UNTOLD: DeliveredFigures = { status: undefined, players: undefined };

/** As if readers had been told something that is never so: whatever is so now is told. */
const NOTHING_TOLD = Buffer.alloc(0);

/** Longest that a reader waits for its address to pay for what it missed, in milliseconds. */
export const MOST_WAIT_MS = 300_000;

/** A reader of the feed: each frame is made once for all readers. */
interface Reader extends Subscriber {
  types: EventFilter;
  /** the place that it has got to while it is given what it missed; undefined when it has everything */
  place: string | undefined;
  /** the newest place that it was told is gone */
  gone: string | undefined;
  /** goes on once it has read, or has gone */
  wake: (() => void) | undefined;
  /** it has to read, and has not since it was looked at last; only while it is given what it missed */
  isStuck: boolean;
}

/** A piece of what a reader missed. */
interface Piece {
  content: Buffer;
  /** the place behind it */
  place: string;
  /** what the reader knows its place to be */
  known: string;
}

/** Readers who picked the same. */
interface Group {
  readers: Set<Reader>;
  /** the place that all of them know */
  place: string;
}

export type EventStreams = ReturnType<typeof createStreams>;

/** The open streams of `GET /events`; `bufferBytes` may wait for one of them to read. */
export function createStreams(deps: {
  clock: Clock;
  feed: Feed;
  /** whether chat may be read at the moment */
  hasChat(): boolean;
  /** each game server, the first one first, with the bodies of `GET /status` and `GET /players` while it reports */
  servers: readonly { name: string; body(path: "/status" | "/players"): Buffer | undefined }[];
  log: Log;
  metrics: SidecarMetrics;
  /** counts bytes of what is missed for an address; seconds to wait where it is over its rate, or 0 */
  pay(address: string, bytes: number): Promise<number>;
  limits: ClientLimits;
  bufferBytes: number;
  heartbeatMs: number;
}) {
  const { clock, feed, log, pay } = deps;
  const servers = deps.servers.map(server => ({ ...server, told: { ...UNTOLD } }));
  const names = servers.map(({ name }) => name);
  const oftenMs = Math.min(deps.heartbeatMs, OFTEN_MS);
  const groups = new Map<EventFilter, Group>();
  const pieces = new Map<string, Piece>();
  let piecesOf = "";
  const readers = createSubscribers<Reader>({
    ...deps,
    slow: "Closed an event stream that does not read",
    onLeft(reader) {
      const group = groups.get(reader.types);
      if (group?.readers.delete(reader) && group.readers.size === 0) groups.delete(reader.types);
    },
  });
  /** by what it is decided who gets an entry */
  const now = (): { servers: readonly string[]; hasChat: boolean } => ({
    servers: names,
    hasChat: deps.hasChat(),
  });

  function sendAll(group: Group, bytes: Buffer): void {
    readers.each(reader => readers.send(reader, bytes), group.readers);
  }

  const after = (ms: number): Promise<void> => new Promise(resolve => void clock.after(ms, resolve));

  /** Once a reader has read; it is given up by the heartbeat where it does not. */
  const drained = (reader: Reader): Promise<void> =>
    new Promise(resolve => {
      reader.wake = resolve;
    });

  /** Gives a reader what it missed, piece by piece, and once it has everything, what happens from then on. */
  async function catchUp(reader: Reader): Promise<void> {
    const until = clock.monotonic() + MOST_WAIT_MS;
    while (readers.has(reader)) {
      const waitSeconds = await pay(reader.address, missed(reader).content.length);
      if (waitSeconds === 0) {
        if (!readers.has(reader) || (await give(reader))) return;
        reader.isStuck = false;
        continue;
      }
      if (clock.monotonic() + waitSeconds * 1_000 > until) {
        log.info({}, "Closed an event stream: its address fell too far behind");
        return endStream(reader);
      }
      await after(waitSeconds * 1_000);
    }
  }

  /** The next piece of what a reader missed. Made once for all who have got to the same place. */
  function missed({ types, place: from = "", gone }: Reader): Piece {
    const { hasChat } = now();
    const state = `${feed.state()} ${hasChat}`;
    if (state !== piecesOf) pieces.clear();
    piecesOf = state;
    const name = `${types} ${from} ${gone}`;
    const piece = pieces.get(name) ?? pieceAfter(types, from, gone);
    pieces.set(name, piece);
    dropOldest(pieces, MOST_PIECES_KEPT);
    return piece;
  }

  function pieceAfter(types: EventFilter, from: string, gone: string | undefined): Piece {
    const { gap, before, entries } = feed.after(from, gone);
    const frames = gap ? [gapFrame(before)] : [];
    let [bytes, place, known] = [0, before, gap ? before : from];
    const by = now();
    for (const entry of entries) {
      if (bytes > PIECE_BYTES) break;
      place = entry.id;
      if (!gets(types, entry, by)) continue;
      const frame = entryFrame(entry);
      frames.push(frame);
      bytes += frame.length;
      known = place;
    }
    return { content: Buffer.concat(frames), place, known };
  }

  /** Gives a reader the next piece; true where that was the last, false once there may be another. */
  async function give(reader: Reader): Promise<boolean> {
    const { content, place, known } = missed(reader);
    reader.gone = feed.floor();
    reader.place = place;
    if (place === feed.last()) {
      join(reader, known === place ? [content] : [content, placeFrame(place)]);
      return true;
    }
    const isRead = readers.send(reader, content);
    if (readers.has(reader)) await (isRead ? new Promise<void>(clock.soon) : drained(reader));
    return false;
  }

  /** A reader has everything: it gets the rest of its frames, the present figures, and then what happens. */
  function join(reader: Reader, frames: Buffer[]): void {
    reader.place = undefined;
    const group = groups.get(reader.types) ?? { readers: new Set(), place: feed.last() };
    groups.set(reader.types, group);
    group.readers.add(reader);
    const server = servers[serverPlaceOf(reader.types)];
    for (const type of FIGURES) {
      const body = reader.types & bitOf(type) ? server?.body(`/${type}`) : undefined;
      if (server === undefined || body === undefined) continue;
      server.told[type] ??= body;
      frames.push(snapshotFrame(type, body));
    }
    if (frames.length > 0) readers.send(reader, Buffer.concat(frames));
  }

  feed.onEvents(entries => {
    // Of a game that comes back is told, though nothing has changed.
    for (const { event } of entries) {
      if (event.event !== "server" || event.state !== "away") continue;
      const server = servers.find(({ name }) => name === (event.server ?? names[0]));
      if (server) server.told = { status: NOTHING_TOLD, players: NOTHING_TOLD };
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
      const { isStuck, out, place, types } = reader;
      if (place === undefined) return;
      if (out.writableLength < out.writableHighWaterMark) {
        // A reader that waits knows that the service is there. Its place is that of what it gets.
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
     * Goes on with an answer as a stream; `since`: the id that the reader has seen last, if any. One that comes while the service stops
     * ends at once: a browser asks again.
     */
    open(
      out: ServerResponse,
      { address, types, since }: { address: string; types: EventFilter; since: string | undefined },
    ): void {
      const reader: Reader = {
        out,
        address,
        types,
        place: since,
        gone: undefined,
        isStuck: false,
        wake: undefined,
      };
      readers.add(reader);
      out.on("drain", () => reader.wake?.());
      // An answer that waits behind another one is not told that its connection has gone.
      out.req.socket.once("close", () => {
        readers.forget(reader);
        reader.wake?.();
      });
      const everyMs = wantsOften(types) ? oftenMs : deps.heartbeatMs;
      if (isClosed) endStream(reader);
      else if (since === undefined) join(reader, [openingFrame(everyMs, feed.last())]);
      else {
        readers.send(reader, openingFrame(everyMs, undefined));
        // Another process may have handed out what is still on its way to this one.
        feed.sync().then(
          () => catchUp(reader).catch((error: unknown) => readers.failed(reader, error)),
          () => endStream(reader),
        );
      }
    },
    /** Tells the figures of a game server that have changed; `place`: which of them it is, from 0 on. */
    onSnapshot(place: number): void {
      const server = servers[place];
      if (server === undefined) return;
      for (const type of FIGURES) {
        const picks = (types: EventFilter): boolean =>
          (types & bitOf(type)) !== 0 && serverPlaceOf(types) === place;
        const readers = [...groups].filter(([types]) => picks(types));
        if (readers.length === 0) {
          // Without readers nothing is made for them.
          server.told[type] = undefined;
          continue;
        }
        const body = server.body(`/${type}`);
        if (body === undefined || server.told[type]?.equals(body)) continue;
        server.told[type] = body;
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

function endStream({ out }: Subscriber): void {
  out.end();
}
