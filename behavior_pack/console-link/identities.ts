import type { ConsolePlayer } from "../../shared/console-link/messages.ts";
import type { Clock } from "../ports.ts";

/** How long a player without an identity is kept back, in ticks: 5 s. */
const WAIT_TICKS = 100;

/** Names that may be known before their players appear. */
const MAX_NAMES = 1_000;

/** Which `persistentId` each online player has, as `launch` reports it. It is decided once for each visit. */
export function createIdentities(clock: Clock) {
  /** by name, as reported; empty: the console has contradicted itself */
  const byName = new Map<string, string>();
  /** by `Player.id` */
  const decided = new Map<string, string>();
  const firstSeen = new Map<string, { name: string; tick: number }>();

  return {
    /** `launch` has reported a player. */
    reported({ name, persistentId = "" }: ConsolePlayer) {
      if (byName.size >= MAX_NAMES) byName.clear();
      byName.set(name, persistentId);
    },
    /** Forgets what was reported: it is reported again. */
    opened: () => byName.clear(),
    /** The player's `persistentId`; empty: there is none, undefined: it may still come. */
    of(id: string, name: string): string | undefined {
      const known = decided.get(id);
      if (known !== undefined) return known;
      const now = clock.tick();
      const seen = firstSeen.get(id) ?? { name, tick: now };
      firstSeen.set(id, seen);
      const found = byName.get(name) ?? (now - seen.tick >= WAIT_TICKS ? "" : undefined);
      if (found !== undefined) decided.set(id, found);
      return found;
    },
    left(id: string) {
      byName.delete(firstSeen.get(id)?.name ?? "");
      decided.delete(id);
      firstSeen.delete(id);
    },
  };
}
