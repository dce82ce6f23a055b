import type { SignInStore } from "../ports/sign-in.ts";
import type { SharedTime } from "../ports.ts";
import type { Connection } from "./connection.ts";
import { replaceText } from "./replace.ts";
import { maybeText } from "./reply.ts";

const SECRETS = "sign-in-secrets";
const KEPT = /^([.+])(\d+) (.*)$/s;

/** Sign-ins in Redis: a sign that tells whether it was used, until when it is kept, and the text. */
export function createRedisSignIn(redis: Connection, now: SharedTime): SignInStore {
  const keyOf = (key: string): string => `sign-in:${key}`;
  const written = (sign: "." | "+", until: number, text: string): string => `${sign}${until} ${text}`;

  function read(stored: string): { isUsed: boolean; until: number; text: string } | undefined {
    const [, sign, until, text = ""] = KEPT.exec(stored) ?? [];
    return sign === undefined ? undefined : { isUsed: sign === "+", until: Number(until), text };
  }

  return {
    async put(key, text, forMs) {
      const until = Math.ceil(now() + forMs);
      await redis.ask("SET", redis.key(keyOf(key)), written(".", until, text), "PX", `${Math.ceil(forMs)}`);
    },
    async get(key) {
      const kept = read(maybeText(await redis.ask("GET", redis.key(keyOf(key)))) ?? "");
      const leftMs = (kept?.until ?? 0) - now();
      return kept && leftMs > 0 ? { text: kept.text, leftMs, isUsed: kept.isUsed } : undefined;
    },
    use: key =>
      replaceText(
        redis,
        keyOf(key),
        stored => {
          const kept = read(stored);
          const leftMs = (kept?.until ?? 0) - now();
          if (kept === undefined || kept.isUsed || leftMs <= 0) return { text: stored, answer: false };
          return { text: written("+", kept.until, kept.text), forMs: Math.ceil(leftMs), answer: true };
        },
        undefined,
      ),
    drop: async key => void (await redis.ask("DEL", redis.key(keyOf(key)))),
    secrets: async () => maybeText(await redis.ask("GET", redis.key(SECRETS))) ?? "",
    replaceSecrets: (before, after) =>
      replaceText(
        redis,
        SECRETS,
        stored => (stored === before ? { text: after, answer: true } : { text: stored, answer: false }),
        undefined,
      ),
  };
}
