import { type Reach, StorageAway } from "../../kernel/storage/ports.ts";
import { createWaiting } from "../../kernel/storage/waiting.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { LinkStore } from "./records.ts";

export type Storage = ReturnType<typeof createStorage>;

/** The store of links, with what waits for it. */
export function createStorage(deps: { clock: Clock; log: Log; store: LinkStore; reach: Reach }) {
  const { store, reach } = deps;
  const { note, again, ...waiting } = createWaiting({
    ...deps,
    what: "browser links",
    check: store.checkWritable,
  });
  reach.onChange(isAway => void (isAway ? note(new StorageAway("the storage cannot be reached")) : again()));
  return {
    ...waiting,
    /** The store; its faults are noted. */
    store: {
      ...store,
      async change(session, decide, turn?) {
        try {
          return await store.change(session, decide, turn);
        } catch (error) {
          if (!(error instanceof StorageAway)) note(error);
          throw error;
        }
      },
    } satisfies LinkStore,
  };
}
