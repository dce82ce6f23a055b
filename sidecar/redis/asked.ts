import { createHash } from "node:crypto";
import { bool, checkJson, type Guard, int, list, num, object, text } from "../../shared/guard.ts";
import { ID_LENGTH } from "../../shared/limits.ts";
import { type Asked, forgetAt, NEVER_ASKED } from "../domain/asked.ts";
import type { AskedPlayers, SharedTime } from "../ports.ts";
import type { Connection } from "./connection.ts";
import { replaceText } from "./replace.ts";

const FROM_LENGTH = 128;
const MANY = 100_000;
const time = num(0, Number.MAX_SAFE_INTEGER);

const asked: Guard<Asked> = object({
  requests: list(
    object({
      request: text(ID_LENGTH, 1),
      from: list(text(FROM_LENGTH), 2),
      open: bool,
      at: time,
      until: time,
    }),
    MANY,
  ),
  sources: list(
    object({
      from: text(FROM_LENGTH),
      ends: list(time, MANY),
      waitMs: int(0, Number.MAX_SAFE_INTEGER),
      until: time,
    }),
    MANY,
  ),
});

/** Remembers in Redis what was asked of players, each for as long as it matters. */
export function createRedisAskedPlayers(redis: Connection, now: SharedTime): AskedPlayers {
  const read = (stored: string): Asked => {
    const known = checkJson(asked, stored);
    return "value" in known ? known.value : NEVER_ASKED;
  };

  return {
    change(player, decide, turn) {
      // Names may be long, and have any characters.
      const key = `asked:${createHash("sha256").update(player).digest("base64url")}`;
      const decided = (stored: string) => {
        const at = now();
        const { record, answer } = decide(read(stored), at);
        const until = forgetAt(record);
        return {
          text: until === 0 ? "" : JSON.stringify(record),
          forMs: Math.max(1, Math.ceil(until - at)),
          answer,
        };
      };
      return replaceText(redis, key, decided, turn);
    },
  };
}
