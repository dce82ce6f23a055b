import { checkJson, type Infer, int, list, object, record, text } from "../../../../shared/guard.ts";

/** How long a new key is shown before it signs: until then every sidecar and every site has heard of it. In milliseconds. */
const LEAD_MS = 2 * 60_000;
/** How long a key is shown after the next one has begun to sign, in milliseconds. */
const KEPT_MS = 24 * 60 * 60_000;
/** Keys for signatures that are kept at most: who makes new ones all the time has those before them dropped early. */
const MOST_KEYS = 20;
/** Cookies last for minutes: those of the key before the last are gone. */
const COOKIE_KEYS = 2;

const time = int(0, Number.MAX_SAFE_INTEGER);
/** A private key for signatures, as JWK. */
const jwk = record(text(4_096), 20);
export type Jwk = Infer<typeof jwk>;

const secrets = object({
  /** newest first; `from`: when it begins to sign, in milliseconds since 1970 */
  signing: list(object({ from: time, jwk }), MOST_KEYS),
  /** newest first */
  cookies: list(text(128, 32), COOKIE_KEYS),
});
export type SignInSecrets = Infer<typeof secrets>;

/** Secrets that a text holds, or undefined where it holds none. */
export function parseSecrets(stored: string): SignInSecrets | undefined {
  const read = checkJson(secrets, stored);
  return "value" in read && read.value.signing.length > 0 && read.value.cookies.length > 0
    ? read.value
    : undefined;
}

/** The same with new ones, which begin to count in a moment; the first ones at once. What nobody needs any more is dropped. */
export function renewed(
  before: SignInSecrets | undefined,
  fresh: { jwk: Jwk; cookie: string },
  now: number,
): SignInSecrets {
  if (before === undefined) return { signing: [{ from: now, jwk: fresh.jwk }], cookies: [fresh.cookie] };
  const all = shown(before, now);
  const signs = signsOf(all, now);
  const kept = all.filter((each, place) => place < MOST_KEYS - 2 || each === signs);
  const signing = [{ from: now + LEAD_MS, jwk: fresh.jwk }, ...kept];
  return { signing, cookies: [fresh.cookie, ...before.cookies].slice(0, COOKIE_KEYS) };
}

/** Keys that somebody may still need, newest first. */
const shown = ({ signing }: SignInSecrets, now: number): SignInSecrets["signing"] =>
  signing.filter((_, place) => now < (signing[place - 1]?.from ?? Number.POSITIVE_INFINITY) + KEPT_MS);

/** The one of them that signs. */
const signsOf = (shown: SignInSecrets["signing"], now: number) =>
  shown.find(({ from }) => from <= now) ?? shown.at(-1);

/** Keys as they count at the moment: the first of them signs, and all are shown. */
export function keysAt(secrets: SignInSecrets, now: number): Jwk[] {
  const all = shown(secrets, now);
  const signs = signsOf(all, now);
  return [...all.filter(each => each === signs), ...all.filter(each => each !== signs)].map(({ jwk }) => jwk);
}

/** The same of keys for cookies: a new one signs when every sidecar has heard of it, together with the key that came with it. */
export function cookieKeysAt({ signing, cookies }: SignInSecrets, now: number): string[] {
  const [newest, ...before] = cookies;
  const isHeardOf = now >= (signing[0]?.from ?? now);
  return newest === undefined || isHeardOf ? cookies : [...before, newest];
}
