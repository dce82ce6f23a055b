import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { Log } from "../../platform/log.ts";
import type { SecretStore } from "./records.ts";
import { parseSecrets, renewed, type SignInSecrets } from "./rules/secrets.ts";

/** How long a key for RS256 is, in bits. */
const KEY_BITS = 2_048;
const [ID_BYTES, COOKIE_BYTES] = [12, 32];

/** A new key for signatures, and one for cookies. */
function fresh(): Parameters<typeof renewed>[1] {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: KEY_BITS });
  const parts = Object.entries(privateKey.export({ format: "jwk" })).map(([name, part]) => [name, `${part}`]);
  const kid = randomBytes(ID_BYTES).toString("base64url");
  return {
    jwk: { ...Object.fromEntries(parts), kid, alg: "RS256", use: "sig" },
    cookie: randomBytes(COOKIE_BYTES).toString("base64url"),
  };
}

/** The stored secrets of the provider, made where there are none. */
export async function openSecrets(store: SecretStore, now: number, log: Pick<Log, "info">): Promise<string> {
  const stored = await store.secrets();
  if (stored !== "") return stored;
  if (await store.replaceSecrets("", JSON.stringify(renewed(undefined, fresh(), now))))
    log.info({}, "Created the sign-in keys");
  return store.secrets();
}

/** Adds new secrets. False: another process was quicker. */
export async function renewSecrets(store: SecretStore, now: number): Promise<boolean> {
  const stored = await store.secrets();
  const before = stored === "" ? undefined : readSecrets(stored);
  return store.replaceSecrets(stored, JSON.stringify(renewed(before, fresh(), now)));
}

/** @throws where the secrets are damaged */
export function readSecrets(stored: string): SignInSecrets {
  const read = parseSecrets(stored);
  if (read === undefined)
    throw new Error("sign-in-secrets: the sign-in keys are damaged; delete them to create new ones");
  return read;
}
