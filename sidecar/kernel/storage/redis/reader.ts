import type { Clock } from "../../../platform/clock.ts";
import { whileAwake } from "./awake.ts";
import { close, NO_ANSWER, SILENT_MS } from "./client.ts";
import type { RedisConnection } from "./connection.ts";
import { entriesOf, listOf, type RedisEntry, textOf } from "./script.ts";

/** How long a read waits for something new, in milliseconds: less than a connection may be silent. */
const BLOCK_MS = 500;
const MOST_ENTRIES = 1_000;
/** After how long without an answer a stream may have let go of what was not read, in milliseconds; it keeps that longer. */
const PAUSE_MS = 30_000;

/** Reads a stream from `place` on: all of it, in order, over every loss of the connection. */
export interface StreamConsumer {
  key: string;
  /** the entry that was read last */
  place(): string;
  onEntries(entries: RedisEntry[]): void;
}

/** Reads streams on a connection of its own, as soon as there is something new. */
export function readStreams(redis: RedisConnection, clock: Clock, streams: readonly StreamConsumer[]): void {
  const names = streams.map(({ key }) => key);

  redis.onServer(async (server, broken, onEnd) => {
    const client = await server.another();
    let isOver = false;
    let heardAt = clock.monotonic();
    client.on("error", broken);
    const watch = whileAwake(clock, SILENT_MS, () => broken(new Error(NO_ANSWER)));
    // Before anything is read: two that read at once would hand out everything twice.
    onEnd(() => {
      isOver = true;
      watch.end();
      close(client);
    });

    async function read(blockMs: number): Promise<boolean> {
      const block = blockMs > 0 ? ["BLOCK", `${blockMs}`] : [];
      const places = streams.map(stream => stream.place());
      watch.beginAgain();
      const reply = await client.sendCommand([
        "XREAD",
        "COUNT",
        `${MOST_ENTRIES}`,
        ...block,
        "STREAMS",
        ...names,
        ...places,
      ]);
      if (clock.monotonic() - heardAt > PAUSE_MS) throw new Error("nothing was heard for too long");
      heardAt = clock.monotonic();
      if (reply === null || isOver) return false;
      for (const each of listOf(reply)) {
        const [name, entries] = listOf(each);
        const i = names.indexOf(textOf(name));
        // Another connection may have read it meanwhile.
        if (streams[i]?.place() === places[i]) streams[i]?.onEntries(entriesOf(entries));
      }
      return true;
    }

    // What was missed is heard before anything is asked of what is new.
    while (!isOver && (await read(0)));
    const reading = async (): Promise<void> => {
      while (!isOver) await read(BLOCK_MS);
    };
    reading().catch(broken);
  });
}
