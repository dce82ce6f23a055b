import { attempt, peek, type ReportMissing } from "./features.ts";
import { literal } from "./literal.ts";
import { admin } from "./modules.ts";

/** A player who wants to join. Older games, and their types, have another name for the refusal. */
interface JoinEvent {
  readonly name: string;
  readonly persistentId: string;
  disallowJoin?(reason: string): void;
  disconnect(reason: string): void;
}

/**
 * Refuses banned players before they join; to be called once the world is there. `refusal`: the reason for a player, or undefined
 * to let them join, like an error.
 */
export function refuseJoins(
  refusal: (name: string, persistentId: string) => string | undefined,
  missing: ReportMissing,
): void {
  const signal = peek(peek(admin, "beforeEvents"), "asyncPlayerJoin");
  try {
    if (signal === undefined) throw new Error("none");
    signal.subscribe(async (event: JoinEvent) => {
      const reason = attempt(() => refusal(event.name, event.persistentId));
      // If this throws, the game rejects the player too. A player whom another pack refuses stays out.
      if (reason !== undefined)
        (peek(event, "disallowJoin") ?? event.disconnect).call(event, literal(reason));
    });
  } catch {
    missing("beforeEvents.asyncPlayerJoin", "banned players are sent away only once they have joined");
  }
}
