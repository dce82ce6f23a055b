import { type Infer, int, object, optional, text } from "../../../shared/guard.ts";
import { ID_LENGTH } from "../../../shared/limits.ts";
import type { Lease } from "../../kernel/storage/ports.ts";
import type { Records } from "../../kernel/storage/records.ts";
import { collection, parseJson } from "../../kernel/storage/records.ts";

/** Longest reason for which a webhook is permanently off. */
const GONE_LENGTH = 200;

/** State of a webhook: its position in the feed, and since when it fails (wall time). */
const hookState = object({
  /** id of the last entry that was sent */
  place: text(ID_LENGTH),
  failingSince: optional(int(0, Number.MAX_SAFE_INTEGER)),
  /** why it is permanently off */
  gone: optional(text(GONE_LENGTH)),
});
export type HookState = Infer<typeof hookState>;

/** State of each webhook, by a digest of its url. */
export const HOOKS = collection<HookState>({
  name: "hooks",
  isSmall: true,
  damaged: "The stored position of a webhook is damaged and ignored",
  parse: parseJson(hookState),
});

/** Stores the states of webhooks. Several sidecar processes may share it. */
export interface HookStore {
  get(key: string): Promise<HookState | undefined>;
  /** @param lease the sending process's lease: once that has expired, nothing is changed */
  set(key: string, state: HookState, lease: Lease | undefined): Promise<void>;
  /** Removes all other states. */
  keepOnly(keys: ReadonlySet<string>, lease: Lease | undefined): Promise<void>;
}

export const createHookStore = (records: Records): HookStore => ({
  get: key => records.get(HOOKS, key),
  set: (key, state, lease) => records.transact(transaction => transaction.put(HOOKS, key, state), { lease }),
  async keepOnly(keys, lease) {
    const gone: string[] = [];
    for await (const slice of records.all(HOOKS))
      gone.push(...slice.map(([key]) => key).filter(key => !keys.has(key)));
    if (gone.length === 0) return;
    await records.transact(
      transaction => {
        for (const key of gone) transaction.delete(HOOKS, key);
      },
      { lease },
    );
  },
});
