import { type BanStore, createBanStore } from "../../sidecar/features/bans/records.ts";
import { createSignInStore } from "../../sidecar/features/sign-in/records.ts";
import { secretsFile } from "../../sidecar/features/sign-in/secrets-file.ts";
import { openFile } from "../../sidecar/files.ts";
import { bridgeIdIn } from "../../sidecar/meta.ts";
import type { Log } from "../../sidecar/platform/log.ts";
import { type OwnStore, storeIn } from "./memory-store.ts";

/** The store in `links.db` of a folder. @throws StoreError if the file cannot be used */
export function openLinksFile(folder: string, log: Pick<Log, "warn">): OwnStore {
  const file = openFile(folder, "links.db", log);
  file.open();
  return storeIn(file, {
    signIn: now => ({ ...createSignInStore(file, now), ...secretsFile(folder) }),
    bridgeId: () => bridgeIdIn(file),
    close: async () => file.close(),
  });
}

/** The ban list in `bans.db` of a folder. */
export function openBansFile(folder: string, log: Pick<Log, "warn">): BanStore & { close(): Promise<void> } {
  const file = openFile(folder, "bans.db", log);
  return { ...createBanStore(file), close: async () => file.close() };
}
