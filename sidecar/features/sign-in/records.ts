import type { Records } from "../../kernel/storage/records.ts";
import { collection } from "../../kernel/storage/records.ts";

/** Open sign-ins and grants. Several sidecar processes may share one. */
export interface SignInStore {
  /** Stores a text under a key for so many milliseconds. */
  put(key: string, text: string, forMs: number): Promise<void>;
  /** The text, how long it is still stored, in milliseconds, and whether it was used. */
  get(key: string): Promise<{ text: string; leftMs: number; isUsed: boolean } | undefined>;
  /** Marks a text as used. False: it was used before, or does not exist. */
  use(key: string): Promise<boolean>;
  drop(key: string): Promise<void>;
}

export interface SecretStore {
  /** The secrets of the provider, as one text; blank: none were made yet. */
  secrets(): Promise<string>;
  /** Replaces the secrets. False: another process was quicker. */
  replaceSecrets(before: string, after: string): Promise<boolean>;
}

interface StoredText {
  text: string;
  isUsed: boolean;
  /** when it ends, in milliseconds by the shared clock */
  until: number;
}

const STORED = /^([.+])(\d+) (.*)$/s;

/** Stored texts: a character for whether it was used, until when it is stored, and the text. */
export const SIGN_INS = collection<StoredText>({
  name: "sign-in",
  expires: true,
  parse(stored) {
    const [, sign, until, text = ""] = STORED.exec(stored) ?? [];
    return sign === undefined ? undefined : { isUsed: sign === "+", until: Number(until), text };
  },
  format: ({ isUsed, until, text }) => `${isUsed ? "+" : "."}${until} ${text}`,
});

/** The secrets of the provider, under a blank key. */
const SECRETS = collection<string>({
  name: "sign-in-secrets",
  isSmall: true,
  expires: true,
  parse: text => text,
  format: text => text,
});

export const createSignInStore = (records: Records, now: () => number): SignInStore => ({
  put: (key, text, forMs) =>
    records.transact(transaction =>
      transaction.put(SIGN_INS, key, { text, isUsed: false, until: Math.ceil(now() + forMs) }, forMs),
    ),
  async get(key) {
    const stored = await records.get(SIGN_INS, key);
    const leftMs = (stored?.until ?? 0) - now();
    return stored && leftMs > 0 ? { text: stored.text, leftMs, isUsed: stored.isUsed } : undefined;
  },
  use: key =>
    records.transact(transaction => {
      const stored = transaction.get(SIGN_INS, key);
      const leftMs = (stored?.until ?? 0) - now();
      if (stored === undefined || stored.isUsed || leftMs <= 0) return false;
      transaction.put(SIGN_INS, key, { ...stored, isUsed: true }, leftMs);
      return true;
    }),
  drop: key => records.transact(transaction => transaction.delete(SIGN_INS, key)),
});

/** Secrets in these records, for sidecars that share them. */
export const createSecretStore = (records: Records): SecretStore => ({
  secrets: async () => (await records.get(SECRETS, "")) ?? "",
  replaceSecrets: (before, after) =>
    records.transact(transaction => {
      if ((transaction.get(SECRETS, "") ?? "") !== before) return false;
      transaction.put(SECRETS, "", after);
      return true;
    }),
});
