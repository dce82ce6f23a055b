import { type PlayerRef, playerRef } from "../../shared/actions.ts";
import { checkJson, count, type Infer, list, object, optional } from "../../shared/guard.ts";
import type { Notices } from "../notices.ts";
import { identity } from "../players/roster.ts";
import type { Store } from "../ports.ts";

const KEY = "web_bridge:forgotten";

/** Players who may wait for the sidecar to hear of them. */
export const MAX_FORGOTTEN = 64;

// Not those of the fact, whose file only the sidecar needs.
const forgotPlayer = object({ player: playerRef, since: optional(count) });
type ForgotPlayer = Infer<typeof forgotPlayer>;
const stored = list(forgotPlayer, MAX_FORGOTTEN);

/**
 * Players who want to be forgotten, of whom the sidecar has not said that it knows; the world remembers them. `push`: tells of
 * one, and calls back once that is acknowledged.
 */
export function createForgotten(
  store: Store,
  notices: Notices,
  push: (who: ForgotPlayer, received: () => void) => void,
) {
  let waiting: ForgotPlayer[] | undefined;
  const told = new Set<ForgotPlayer>();

  /** Undefined as long as the world cannot be read. */
  function load(): ForgotPlayer[] | undefined {
    if (waiting !== undefined) return waiting;
    try {
      const value = store.read(KEY) ?? "[]";
      const read = checkJson(stored, String(value));
      if ("fault" in read)
        notices.once("forgotten", "stored players who want to be forgotten cannot be read");
      waiting = "value" in read ? read.value : [];
    } catch {
      // Asked again with the next snapshot.
    }
    return waiting;
  }

  /** False: the world does not take it at the moment. */
  function keep(next: ForgotPlayer[]): boolean {
    try {
      store.write(KEY, JSON.stringify(next));
    } catch {
      return false;
    }
    waiting = next;
    return true;
  }

  function received(who: ForgotPlayer): void {
    told.delete(who);
    // Where it cannot be stored, the next run of the script tells it again.
    const rest = (waiting ?? []).filter(other => other !== who);
    if (!keep(rest)) waiting = rest;
  }

  return {
    /** Has a player told of, with when their visit began. False: too many wait, or the world cannot remember it. */
    add(player: PlayerRef, since: number | undefined): boolean {
      const who = since === undefined ? { player } : { player, since };
      const others = load()?.filter(other => identity(other.player) !== identity(player));
      return others !== undefined && others.length < MAX_FORGOTTEN && keep([...others, who]);
    },
    /** Tells what was not told in this run. */
    tell() {
      for (const who of load() ?? []) {
        if (told.has(who)) continue;
        told.add(who);
        push(who, () => received(who));
      }
    },
  };
}
