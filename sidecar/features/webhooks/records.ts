import { type Infer, int, object, optional, text } from "../../../shared/guard.ts";
import { ID_LENGTH } from "../../../shared/limits.ts";
import type { Lease } from "../../kernel/storage/ports.ts";
import type { Records } from "../../kernel/storage/records.ts";
import { collection, parseJson } from "../../kernel/storage/records.ts";

/** Longest reason for which a webhook is gone. */
const GONE_LENGTH = 200;

/** Where a webhook is: what it has been sent, and since when it fails, by wall time. */
const hookState = object({
  /** id of the entry that it was sent last */
  place: text(ID_LENGTH),
  failingSince: optional(int(0, Number.MAX_SAFE_INTEGER)),
  /** why it takes nothing ever again */
  gone: optional(text(GONE_LENGTH)),
});
export type HookState = Infer<typeof hookState>;

/** How far each webhook is, by a digest of its url. */
export const HOOKS = collection<HookState>({
  name: "hooks",
  isSmall: true,
  damaged: "The stored position of a webhook is damaged and ignored",
  parse: parseJson(hookState),
});

/** How far webhooks are. Several sidecar processes may share it. */
export interface HookStore {
  get(key: string): Promise<HookState | undefined>;
  /** @param lease of the process that sends for all: once that is over, nothing is changed */
  set(key: string, state: HookState, lease: Lease | undefined): Promise<void>;
  /** Forgets all others. */
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
