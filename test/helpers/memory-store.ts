import { randomUUID } from "node:crypto";
import type { BanStore } from "../../sidecar/features/bans/records.ts";
import { createBanStore } from "../../sidecar/features/bans/records.ts";
import { type ChoiceStore, createChoiceStore } from "../../sidecar/features/choices/records.ts";
import type { KnownStore } from "../../sidecar/features/known-players/records.ts";
import { createLinkStore, type LinkStore } from "../../sidecar/features/linking/records.ts";
import { type ConnectionStore, createConnectionStore } from "../../sidecar/features/servers/records.ts";
import {
  createSignInStore,
  type SecretStore,
  type SignInStore,
} from "../../sidecar/features/sign-in/records.ts";
import { embedded } from "../../sidecar/kernel/embedded.ts";
import type { SharedState } from "../../sidecar/kernel/shared.ts";
import { createMemoryRecords } from "../../sidecar/kernel/storage/memory-records.ts";
import type { Records, RecordsWithStreams } from "../../sidecar/kernel/storage/records.ts";
import type { Clock, SharedTime } from "../../sidecar/platform/clock.ts";
import { createStores, type Stores } from "../../sidecar/stores.ts";
import { createMemoryKnown } from "./memory-known.ts";

/** Stores of one process beside players, bans and feed. */
export type OwnStore = LinkStore &
  ChoiceStore &
  ConnectionStore & {
    gameServerOf(name: string): ConnectionStore;
    signIn(now: SharedTime): SignInStore & SecretStore;
    bridgeId(): Promise<string>;
    close(): Promise<void>;
  };

/** The first keys that were made: a key takes a third of a second, and the tests of a file need no others. */
let firstSecrets = "";

function memorySecrets(secrets = ""): SecretStore {
  return {
    secrets: async () => secrets,
    async replaceSecrets(before, after) {
      if (before !== secrets) return false;
      secrets = after;
      firstSecrets ||= after;
      return true;
    },
  };
}

/** Sign-ins in memory. */
export const createMemorySignIn = (now: SharedTime, secrets = ""): SignInStore & SecretStore => ({
  ...createSignInStore(createMemoryRecords(now), now),
  ...memorySecrets(secrets),
});

/** The store on these records. */
export const storeIn = (
  records: Records,
  more: Pick<OwnStore, "signIn" | "bridgeId" | "close">,
): OwnStore => ({
  ...createLinkStore(records),
  ...createChoiceStore(records),
  ...createConnectionStore(records, ""),
  gameServerOf: name => createConnectionStore(records, name),
  ...more,
});

/** Links in memory, without a disk. */
export function createMemoryStore(): OwnStore {
  const bridge = randomUUID();
  let signIn: ReturnType<OwnStore["signIn"]> | undefined;
  return storeIn(
    createMemoryRecords(() => 0),
    {
      signIn(now) {
        signIn ??= createMemorySignIn(now, firstSecrets);
        return signIn;
      },
      bridgeId: async () => bridge,
      close: async () => undefined,
    },
  );
}

/** The ban list in memory. */
export const createMemoryBans = (): BanStore => createBanStore(createMemoryRecords(() => 0));

/** Ports of a sidecar in memory: shared state, and the stores of its features. */
export function memoryParts(
  clock: Clock,
  names: readonly string[] = [],
  own: { store?: OwnStore; feed?: RecordsWithStreams; known?: KnownStore; bans?: BanStore } = {},
  change: (shared: SharedState) => Partial<SharedState> = () => ({}),
): { shared: SharedState; stores: Stores } {
  const { store = createMemoryStore(), known = createMemoryKnown(), bans = createMemoryBans() } = own;
  const records = createMemoryRecords(clock.monotonic);
  const feed = own.feed ?? createMemoryRecords(clock.monotonic);
  const usual = embedded(
    clock,
    {
      records: { links: records, players: records, bans: records, feed },
      bridgeId: store.bridgeId,
      close: store.close,
    },
    names,
  );
  const shared = { ...usual, ...change(usual) };
  const bounds = { entries: 10_000, forMs: Number.POSITIVE_INFINITY };
  const stores = {
    ...createStores(shared, { bounds, secrets: memorySecrets() }),
    ...{ links: store, choices: store, known, bans, signIn: store.signIn(shared.time) },
    connection: (name: string) => (name === "" ? store : store.gameServerOf(name)),
  };
  return { shared, stores };
}
