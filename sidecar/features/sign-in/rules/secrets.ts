import { checkJson, count, type Infer, list, object, record, text } from "../../../../shared/guard.ts";

/** How long a new key is published before it signs, so that every sidecar and site knows it, in milliseconds. */
const LEAD_MS = 2 * 60_000;
/** How long a key is published after the next one has begun to sign, in milliseconds. */
const KEPT_MS = 24 * 60 * 60_000;
/** Most keys for signatures; past it older ones are dropped early. */
const MAX_KEYS = 20;
/** Cookies last for minutes: those of the key before the last are gone. */
const COOKIE_KEYS = 2;

/** A private key for signatures, as JWK. */
const jwk = record(text(4_096), 20);
export type Jwk = Infer<typeof jwk>;

const secrets = object({
  /** newest first; `from`: when it begins to sign, in milliseconds since 1970 */
  signing: list(object({ from: count, jwk }), MAX_KEYS),
  /** newest first */
  cookies: list(text(128, 32), COOKIE_KEYS),
});
export type SignInSecrets = Infer<typeof secrets>;

/** Undefined: the text holds no secrets. */
export function parseSecrets(stored: string): SignInSecrets | undefined {
  const read = checkJson(secrets, stored);
  return "value" in read && read.value.signing.length > 0 && read.value.cookies.length > 0
    ? read.value
    : undefined;
}

/** Adds new secrets, which count after `LEAD_MS`, the first ones at once, and drops old ones. */
export function renewed(
  before: SignInSecrets | undefined,
  fresh: { jwk: Jwk; cookie: string },
  now: number,
): SignInSecrets {
  if (before === undefined) return { signing: [{ from: now, jwk: fresh.jwk }], cookies: [fresh.cookie] };
  const all = publishedKeys(before, now);
  const signs = signingKeyOf(all, now);
  const remaining = all.filter((each, place) => place < MAX_KEYS - 2 || each === signs);
  const signing = [{ from: now + LEAD_MS, jwk: fresh.jwk }, ...remaining];
  return { signing, cookies: [fresh.cookie, ...before.cookies].slice(0, COOKIE_KEYS) };
}

/** Keys that are published, newest first. */
const publishedKeys = ({ signing }: SignInSecrets, now: number): SignInSecrets["signing"] =>
  signing.filter((_, place) => now < (signing[place - 1]?.from ?? Number.POSITIVE_INFINITY) + KEPT_MS);

/** The one of them that signs. */
const signingKeyOf = (keys: SignInSecrets["signing"], now: number) =>
  keys.find(({ from }) => from <= now) ?? keys.at(-1);

/** Published keys; the first of them signs. */
export function keysAt(secrets: SignInSecrets, now: number): Jwk[] {
  const all = publishedKeys(secrets, now);
  const signs = signingKeyOf(all, now);
  return [...all.filter(each => each === signs), ...all.filter(each => each !== signs)].map(({ jwk }) => jwk);
}

/** Keys for cookies; the first of them signs. A new one does once the key for signatures made with it does. */
export function cookieKeysAt({ signing, cookies }: SignInSecrets, now: number): string[] {
  const [newest, ...before] = cookies;
  const isPublished = now >= (signing[0]?.from ?? now);
  return newest === undefined || isPublished ? cookies : [...before, newest];
}
