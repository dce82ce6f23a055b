import { readStored, removeStored, store } from "../platform/storage.ts";

const STORED = "admin-key";

/** The key that was signed in with, in this tab or on this device. */
export const readKey = (): string | undefined =>
  readStored(STORED, "tab") ?? readStored(STORED, "browser") ?? undefined;

/** Keeps a valid key for as long as this tab, or on this device. */
export const storeKey = (key: string, isLasting: boolean): void =>
  store(STORED, key, isLasting ? "browser" : "tab");

export const forgetKey = (): void => removeStored(STORED);
