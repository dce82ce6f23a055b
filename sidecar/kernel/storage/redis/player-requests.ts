import { createHash } from "node:crypto";
import { checkJson } from "../../../../shared/guard.ts";
import {
  forgetAt,
  NO_REQUESTS,
  type PlayerRequests,
  playerRequests,
} from "../../../features/linking/rules/player-requests.ts";
import type { PlayerRequestStore, SharedTime } from "../ports.ts";
import type { Connection } from "./connection.ts";
import { replaceText } from "./replace.ts";

/** Remembers in Redis what was asked of players, each for as long as it matters. */
export function createRedisPlayerRequests(redis: Connection, now: SharedTime): PlayerRequestStore {
  const read = (stored: string): PlayerRequests => {
    const known = checkJson(playerRequests, stored);
    return "value" in known ? known.value : NO_REQUESTS;
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
