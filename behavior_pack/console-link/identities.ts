import type { ConsolePlayer } from "../../shared/console-link/messages.ts";
import type { Clock } from "../ports.ts";

/** How long a player without an identity is kept back, in ticks: 5 s. */
const WAIT_TICKS = 100;

/** Names that the console told without a player of that name. */
const MAX_NAMES = 1_000;

export type Identities = ReturnType<typeof createIdentities>;

/** Which `persistentId` each online player has, as the game's console tells it. It is decided once for each visit. */
export function createIdentities(clock: Clock) {
  /** by name, as the console told them; empty: the console has contradicted itself */
  const told = new Map<string, string>();
  /** by `Player.id` */
  const decided = new Map<string, string>();
  const firstSeen = new Map<string, { name: string; tick: number }>();

  return {
    heard({ name, persistentId = "" }: ConsolePlayer) {
      if (told.size >= MAX_NAMES) told.clear();
      told.set(name, persistentId);
    },
    /** Forgets what the console told: it tells it again. */
    opened: () => told.clear(),
    /** The player's `persistentId`; empty: there is none, undefined: it may still come. */
    of(id: string, name: string): string | undefined {
      const known = decided.get(id);
      if (known !== undefined) return known;
      const now = clock.tick();
      const seen = firstSeen.get(id) ?? { name, tick: now };
      firstSeen.set(id, seen);
      const found = told.get(name) ?? (now - seen.tick >= WAIT_TICKS ? "" : undefined);
      if (found !== undefined) decided.set(id, found);
      return found;
    },
    left(id: string) {
      told.delete(firstSeen.get(id)?.name ?? "");
      decided.delete(id);
      firstSeen.delete(id);
    },
  };
}
