import { attempt, peek, type ReportMissing } from "./features.ts";
import { literal } from "./literal.ts";
import { admin } from "./modules.ts";

/** Somebody who wants to join. Older games, and the types that describe them, have another name for the refusal. */
interface Joining {
  readonly name: string;
  readonly persistentId: string;
  disallowJoin?(reason: string): void;
  disconnect(reason: string): void;
}

/**
 * Has the game ask before somebody joins; to be called once the world is there. `refusal`: what a player is told who may not;
 * undefined: they may. It is to answer at once, and where it throws the player joins.
 */
export function guardJoins(
  refusal: (name: string, persistentId: string) => string | undefined,
  missing: ReportMissing,
): void {
  const signal = peek(peek(admin, "beforeEvents"), "asyncPlayerJoin");
  try {
    if (signal === undefined) throw new Error("none");
    signal.subscribe(async (event: Joining) => {
      const reason = attempt(() => refusal(event.name, event.persistentId));
      // What the game throws here is for the game: it rejects the player then, too. Nobody is let in whom others keep out.
      if (reason !== undefined)
        (peek(event, "disallowJoin") ?? event.disconnect).call(event, literal(reason));
    });
  } catch {
    missing("beforeEvents.asyncPlayerJoin", "banned players are sent away only once they have joined");
  }
}
