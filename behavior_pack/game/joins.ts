import { admin } from "./beta-modules.ts";
import { attempt, peek, type ReportMissing } from "./features.ts";
import { literal } from "./literal.ts";

/** A player who is joining. Older games, and their types, name the rejecting call differently. */
interface JoinEvent {
  readonly name: string;
  readonly persistentId: string;
  disallowJoin?(reason: string): void;
  disconnect(reason: string): void;
}

/**
 * Rejects banned players before they join; to be called once the world is loaded. `refusal` returns the message for a player, or
 * undefined to let them join; an error lets them join too.
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
      // If this throws, the game rejects the player as well. A player rejected by another pack stays out.
      if (reason !== undefined)
        (peek(event, "disallowJoin") ?? event.disconnect).call(event, literal(reason));
    });
  } catch {
    missing("beforeEvents.asyncPlayerJoin", "banned players are kicked only after they have joined");
  }
}
