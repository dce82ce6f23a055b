import { createHash, timingSafeEqual } from "node:crypto";

const digest = (value: string): Buffer => createHash("sha256").update(value, "utf8").digest();

/** Finds the holder of a secret in constant time. */
export function createSecretCheck<T extends { token: string }>(
  holders: readonly T[],
): (value: string) => T | undefined {
  const all = holders.map(holder => ({ holder, expected: digest(holder.token) }));
  return value => {
    const asked = digest(value);
    return all.filter(({ expected }) => timingSafeEqual(asked, expected))[0]?.holder;
  };
}

/** Compares a secret with a SHA-256 in hexadecimal digits, in constant time. */
export function isSecretOf(secret: string, sha256: string): boolean {
  const expected = Buffer.from(sha256, "hex");
  const asked = digest(secret);
  return asked.length === expected.length && timingSafeEqual(asked, expected);
}
