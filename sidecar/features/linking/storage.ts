import { type Reach, StorageAway } from "../../kernel/storage/ports.ts";
import { createRetryQueue } from "../../kernel/storage/retry-queue.ts";
import { isBug } from "../../platform/bugs.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { LinkStore } from "./records.ts";

export type LinkStorage = ReturnType<typeof createLinkStorage>;

/** The store of links, with queued writes. */
export function createLinkStorage(deps: { clock: Clock; log: Log; store: LinkStore; reach: Reach }) {
  const { store, reach } = deps;
  const { noteFault, retry, ...waiting } = createRetryQueue({
    ...deps,
    what: "browser links",
    check: store.checkWritable,
  });
  reach.onChange(
    isAway => void (isAway ? noteFault(new StorageAway("the storage cannot be reached")) : retry()),
  );
  return {
    ...waiting,
    /** The store, which records its failures. */
    store: {
      ...store,
      async change(session, decide, lease?) {
        try {
          return await store.change(session, decide, lease);
        } catch (error) {
          if (!(error instanceof StorageAway) && !isBug(error)) noteFault(error);
          throw error;
        }
      },
    } satisfies LinkStore,
  };
}
