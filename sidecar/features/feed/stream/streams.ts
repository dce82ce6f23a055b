import type { ServerResponse } from "node:http";
import { dropOldest } from "../../../../shared/drop-oldest.ts";
import type { ClientLimits } from "../../../kernel/http/overload/rules.ts";
import { createSubscribers, type Subscriber } from "../../../kernel/http/subscribers.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { SidecarMetrics } from "../../../platform/metrics.ts";
import type { Feed } from "../feed.ts";
import {
  entryFrame,
  gapFrame,
  heartbeatFrame,
  openingFrame,
  positionFrame,
  snapshotFrame,
} from "./frames.ts";
import { bitOf, type EventFilter, gets, serverIndexOf, wantsFrequent } from "./query.ts";

/** Bytes of missed events that are sent to a connection before it has to read them. */
const CHUNK_BYTES = 64 * 1024;

/** Chunks cached until the next event: readers that reconnect together have mostly missed the same. */
const MAX_CACHED_CHUNKS = 32;

/** Interval of frequent heartbeats, in milliseconds: a reader notices missing ones within 15 s. */
export const OFTEN_MS = 5_000;

/** The last figures of a game server sent to readers; undefined if there was no reader. */
type DeliveredFigures = Record<(typeof FIGURES)[number], Buffer | undefined>;
const FIGURES = ["status", "players"] as const;
const NOT_DELIVERED: DeliveredFigures = { status: undefined, players: undefined };

/** Differs from all real figures, so that the next figures are sent. */
const OUTDATED = Buffer.alloc(0);

/** Longest wait of a reader for its address's byte budget, in milliseconds. */
export const MAX_WAIT_MS = 300_000;

/** A reader of the feed. Each frame is encoded once for all readers. */
interface Reader extends Subscriber {
  types: EventFilter;
  /** its position while it catches up; undefined when it is up to date */
  position: string | undefined;
  /** the newest dropped position that was reported to it */
  reportedFloor: string | undefined;
  /** resumes once it has read, or has left */
  wake: (() => void) | undefined;
  /** whether it has not read anything since the last heartbeat; only while it catches up */
  isStalled: boolean;
}

/** A chunk of missed events. */
interface Chunk {
  content: Buffer;
  /** the position after it */
  position: string;
  /** the position known to the reader */
  known: string;
}

/** Readers with the same selection. */
interface Group {
  readers: Set<Reader>;
  /** the position known to all of them */
  position: string;
}

export type EventStreams = ReturnType<typeof createStreams>;

/** The open streams of `GET /events`; `bufferBytes`: limit of unsent bytes of one stream. */
export function createStreams(deps: {
  clock: Clock;
  feed: Feed;
  /** whether chat may be read at the moment */
  hasChat(): boolean;
  /** the game servers in order, with the bodies of `GET /status` and `GET /players` while they report */
  servers: readonly { name: string; body(path: "/status" | "/players"): Buffer | undefined }[];
  log: Log;
  metrics: SidecarMetrics;
  /** charges bytes of missed events to an address; returns seconds to wait if it is over its rate, or 0 */
  pay(address: string, bytes: number): Promise<number>;
  limits: ClientLimits;
  bufferBytes: number;
  heartbeatMs: number;
}) {
  const { clock, feed, log, pay } = deps;
  const servers = deps.servers.map(server => ({ ...server, delivered: { ...NOT_DELIVERED } }));
  const names = servers.map(({ name }) => name);
  const oftenMs = Math.min(deps.heartbeatMs, OFTEN_MS);
  const groups = new Map<EventFilter, Group>();
  const chunks = new Map<string, Chunk>();
  let chunkState = "";
  const readers = createSubscribers<Reader>({
    ...deps,
    slow: "Closed an event stream that does not read",
    onLeft(reader) {
      const group = groups.get(reader.types);
      if (group?.readers.delete(reader) && group.readers.size === 0) groups.delete(reader.types);
    },
  });
  /** current state that decides who gets an entry */
  const now = (): { servers: readonly string[]; hasChat: boolean } => ({
    servers: names,
    hasChat: deps.hasChat(),
  });

  function sendAll(group: Group, bytes: Buffer): void {
    readers.each(reader => readers.send(reader, bytes), group.readers);
  }

  const after = (ms: number): Promise<void> => new Promise(resolve => void clock.after(ms, resolve));

  /** Settles once a reader has read; the heartbeat closes one that does not. */
  const waitUntilRead = (reader: Reader): Promise<void> =>
    new Promise(resolve => {
      reader.wake = resolve;
    });

  /** Sends a reader its missed events, chunk by chunk, and then makes it live. */
  async function catchUp(reader: Reader): Promise<void> {
    const until = clock.monotonic() + MAX_WAIT_MS;
    while (readers.has(reader)) {
      const waitSeconds = await pay(reader.address, nextChunk(reader).content.length);
      if (waitSeconds === 0) {
        if (!readers.has(reader) || (await sendNext(reader))) return;
        reader.isStalled = false;
        continue;
      }
      if (clock.monotonic() + waitSeconds * 1_000 > until) {
        log.info({}, "Closed an event stream: its address fell too far behind");
        return endStream(reader);
      }
      await after(waitSeconds * 1_000);
    }
  }

  /** The next chunk of a reader's missed events. Cached for all readers at the same position. */
  function nextChunk({ types, position: from = "", reportedFloor }: Reader): Chunk {
    const { hasChat } = now();
    const state = `${feed.state()} ${hasChat}`;
    if (state !== chunkState) chunks.clear();
    chunkState = state;
    const name = `${types} ${from} ${reportedFloor}`;
    const chunk = chunks.get(name) ?? chunkAfter(types, from, reportedFloor);
    chunks.set(name, chunk);
    dropOldest(chunks, MAX_CACHED_CHUNKS);
    return chunk;
  }

  function chunkAfter(types: EventFilter, from: string, reportedFloor: string | undefined): Chunk {
    const { gap, before, entries } = feed.after(from, reportedFloor);
    const frames = gap ? [gapFrame(before)] : [];
    let [bytes, position, known] = [0, before, gap ? before : from];
    const by = now();
    for (const entry of entries) {
      if (bytes > CHUNK_BYTES) break;
      position = entry.id;
      if (!gets(types, entry, by)) continue;
      const frame = entryFrame(entry);
      frames.push(frame);
      bytes += frame.length;
      known = position;
    }
    return { content: Buffer.concat(frames), position, known };
  }

  /** Sends a reader the next chunk; returns true if it was the last, else false once the next may be sent. */
  async function sendNext(reader: Reader): Promise<boolean> {
    const { content, position, known } = nextChunk(reader);
    reader.reportedFloor = feed.floor();
    reader.position = position;
    if (position === feed.last()) {
      join(reader, known === position ? [content] : [content, positionFrame(position)]);
      return true;
    }
    const isRead = readers.send(reader, content);
    if (readers.has(reader)) await (isRead ? new Promise<void>(clock.soon) : waitUntilRead(reader));
    return false;
  }

  /** Makes an up-to-date reader live: sends the rest of its frames and the current figures, then new events. */
  function join(reader: Reader, frames: Buffer[]): void {
    reader.position = undefined;
    const group = groups.get(reader.types) ?? { readers: new Set(), position: feed.last() };
    groups.set(reader.types, group);
    group.readers.add(reader);
    const server = servers[serverIndexOf(reader.types)];
    for (const type of FIGURES) {
      const body = reader.types & bitOf(type) ? server?.body(`/${type}`) : undefined;
      if (server === undefined || body === undefined) continue;
      server.delivered[type] ??= body;
      frames.push(snapshotFrame(type, body));
    }
    if (frames.length > 0) readers.send(reader, Buffer.concat(frames));
  }

  feed.onEvents(entries => {
    // After a game server is back, its figures are sent even if they have not changed.
    for (const { event } of entries) {
      if (event.event !== "server" || event.state !== "away") continue;
      const server = servers.find(({ name }) => name === (event.server ?? names[0]));
      if (server) server.delivered = { status: OUTDATED, players: OUTDATED };
    }
    const by = now();
    for (const [types, group] of groups) {
      const frames = entries.filter(entry => gets(types, entry, by));
      if (frames.length === 0) continue;
      sendAll(group, Buffer.concat(frames.map(entryFrame)));
      group.position = frames.at(-1)?.id ?? group.position;
    }
  });

  // A reader that reconnects gets the gap.
  feed.onGap(() => readers.each(endStream));

  function beat(isOften: boolean): void {
    const last = feed.last();
    for (const [types, group] of groups) {
      if (isOften !== wantsFrequent(types)) continue;
      sendAll(group, heartbeatFrame(group.position === last ? undefined : last));
      group.position = last;
    }
    readers.each(reader => {
      const { isStalled, out, position, types } = reader;
      if (position === undefined) return;
      if (out.writableLength < out.writableHighWaterMark) {
        // Shows a waiting reader that the service is alive. Its position comes with its chunks.
        if (isOften === wantsFrequent(types)) readers.send(reader, heartbeatFrame(undefined));
      } else if (!isOften) {
        if (isStalled) readers.cutOff(reader);
        reader.isStalled = true;
      }
    });
  }

  const timers = [clock.every(deps.heartbeatMs, () => beat(false)), clock.every(oftenMs, () => beat(true))];
  let isClosed = false;

  return {
    count: readers.count,
    isFull: readers.isFull,
    /**
     * Turns a response into a stream; `since`: the last id that the reader has seen, if any. While the service stops, it ends
     * immediately: a browser reconnects.
     */
    open(
      out: ServerResponse,
      { address, types, since }: { address: string; types: EventFilter; since: string | undefined },
    ): void {
      const reader: Reader = {
        out,
        address,
        types,
        position: since,
        reportedFloor: undefined,
        isStalled: false,
        wake: undefined,
      };
      readers.add(reader);
      out.on("drain", () => reader.wake?.());
      // A pipelined response gets no event when its connection closes.
      out.req.socket.once("close", () => {
        readers.forget(reader);
        reader.wake?.();
      });
      const everyMs = wantsFrequent(types) ? oftenMs : deps.heartbeatMs;
      if (isClosed) endStream(reader);
      else if (since === undefined) join(reader, [openingFrame(everyMs, feed.last())]);
      else {
        readers.send(reader, openingFrame(everyMs, undefined));
        // The id may come from another process whose entries have not arrived here yet.
        feed.sync().then(
          () => catchUp(reader).catch((error: unknown) => readers.failed(reader, error)),
          () => endStream(reader),
        );
      }
    },
    /** Sends changed figures of a game server; `index`: its index, from 0 on. */
    onSnapshot(index: number): void {
      const server = servers[index];
      if (server === undefined) return;
      for (const type of FIGURES) {
        const picks = (types: EventFilter): boolean =>
          (types & bitOf(type)) !== 0 && serverIndexOf(types) === index;
        const readers = [...groups].filter(([types]) => picks(types));
        if (readers.length === 0) {
          // Without readers, nothing is encoded.
          server.delivered[type] = undefined;
          continue;
        }
        const body = server.body(`/${type}`);
        if (body === undefined || server.delivered[type]?.equals(body)) continue;
        server.delivered[type] = body;
        const frame = snapshotFrame(type, body);
        for (const [, group] of readers) sendAll(group, frame);
      }
    },
    /** Ends every stream, and resolves when they have closed; after `withinMs` milliseconds they are destroyed. */
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
