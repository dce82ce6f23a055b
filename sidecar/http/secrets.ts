import { createHash, timingSafeEqual } from "node:crypto";

const digest = (value: string): Buffer => createHash("sha256").update(value, "utf8").digest();

/** A check whether a value is the secret, taking the same time whatever the value is. */
export function createSecretCheck(secret: string): (value: string) => boolean {
  const expected = digest(secret);
  return value => timingSafeEqual(digest(value), expected);
}
