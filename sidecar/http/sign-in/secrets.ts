import { generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { parseSecrets, renewed, type SignInSecrets } from "../../domain/sign-in-secrets.ts";
import type { SignInStore } from "../../ports/sign-in.ts";
import type { Log, SharedTime } from "../../ports.ts";

type Kept = Pick<SignInStore, "secrets" | "replaceSecrets">;

/** How long a key for RS256 is, in bits. */
const KEY_BITS = 2_048;
const COOKIE_BYTES = 32;

/** A new key for signatures and one for cookies. */
export async function freshSecrets(): Promise<Parameters<typeof renewed>[1]> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: KEY_BITS });
  const jwk = Object.entries(privateKey.export({ format: "jwk" })).map(([name, part]) => [name, `${part}`]);
  const kid = randomBytes(12).toString("base64url");
  return {
    jwk: { ...Object.fromEntries(jwk), kid, alg: "RS256", use: "sig" },
    cookie: randomBytes(COOKIE_BYTES).toString("base64url"),
  };
}

/** The secrets of the provider; made where there are none, by whoever of several is first. @throws where they are damaged */
export async function openSecrets(
  store: Kept,
  now: SharedTime,
  log: Pick<Log, "info">,
): Promise<SignInSecrets> {
  const stored = await store.secrets();
  if (stored !== "") return readSecrets(stored);
  if (await store.replaceSecrets("", JSON.stringify(renewed(undefined, await freshSecrets(), now()))))
    log.info({}, "made the keys of sign-ins");
  return readSecrets(await store.secrets());
}

/** @throws where they are damaged */
export function readSecrets(stored: string): SignInSecrets {
  const read = parseSecrets(stored);
  if (read === undefined)
    throw new Error("sign-in-secrets: the keys of sign-ins are damaged; delete them to have others made");
  return read;
}
