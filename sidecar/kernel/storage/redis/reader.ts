import type { Clock } from "../../../platform/clock.ts";
import { ANSWER_TIMEOUT_MS, close, NO_ANSWER } from "./client.ts";
import type { RedisConnection } from "./connection.ts";
import { onRunningTime } from "./running-time.ts";
import { entriesOf, listOf, type RedisEntry, textOf } from "./script.ts";

/** How long a read blocks for new entries, in milliseconds: less than the answer timeout. */
const BLOCK_MS = 500;
const MAX_ENTRIES = 1_000;
/** Reading pause after which unread entries may be gone, in milliseconds; streams keep them longer than this. */
const PAUSE_MS = 30_000;

/** Consumes a stream from `place` on: all entries, in order, across reconnects. */
export interface StreamConsumer {
  key: string;
  /** id of the last entry that was read */
  place(): string;
  onEntries(entries: RedisEntry[]): void;
}

/** Reads streams on a separate connection, as soon as there are new entries. */
export function readStreams(redis: RedisConnection, clock: Clock, streams: readonly StreamConsumer[]): void {
  const names = streams.map(({ key }) => key);

  redis.onServer(async (server, broken, onEnd) => {
    const client = await server.another();
    let isEnded = false;
    let readAt = clock.monotonic();
    client.on("error", broken);
    const watch = onRunningTime(clock, ANSWER_TIMEOUT_MS, () => broken(new Error(NO_ANSWER)));
    // Registered before the first read: two concurrent readers would deliver everything twice.
    onEnd(() => {
      isEnded = true;
      watch.end();
      close(client);
    });

    async function read(blockMs: number): Promise<boolean> {
      const block = blockMs > 0 ? ["BLOCK", `${blockMs}`] : [];
      const places = streams.map(stream => stream.place());
      watch.restart();
      const reply = await client.sendCommand([
        "XREAD",
        "COUNT",
        `${MAX_ENTRIES}`,
        ...block,
        "STREAMS",
        ...names,
        ...places,
      ]);
      if (clock.monotonic() - readAt > PAUSE_MS) throw new Error("nothing was read for too long");
      readAt = clock.monotonic();
      if (reply === null || isEnded) return false;
      for (const each of listOf(reply)) {
        const [name, entries] = listOf(each);
        const i = names.indexOf(textOf(name));
        // Another connection may have read it by now.
        if (streams[i]?.place() === places[i]) streams[i]?.onEntries(entriesOf(entries));
      }
      return true;
    }

    // Missed entries are read before the connection counts as ready.
    while (!isEnded && (await read(0)));
    const reading = async (): Promise<void> => {
      while (!isEnded) await read(BLOCK_MS);
    };
    reading().catch(broken);
  });
}
