import type { Violation } from "./order.ts";

/** Figures of the players as the service told them at a moment. */
export interface Sample {
  at: number;
  players: readonly { name: string; deaths: number; playerKills: number; playtimeSeconds: number }[];
}

/** A crash of the game, which loses what the world did not save. */
export interface Crash {
  at: number;
  /** when the world was saved last */
  savedAt: number;
}

/** A death in the world. */
export interface Death {
  at: number;
  victim: string;
  killer: string;
}

/** How long the service shows the figures of a game that is gone. */
const SHOWN_MS = 16_000;
/** Age of a stored playtime and of a saved world. */
const PLAYTIME_LOST_S = 40;

const FIGURES = ["deaths", "playerKills", "playtimeSeconds"] as const;

/** Figures never go back but over a crash, and there by no more than what was not saved. */
export function judgeFigures(
  samples: readonly Sample[],
  crashes: readonly Crash[],
  deaths: readonly Death[],
): Violation[] {
  const before = new Map<string, { value: number; at: number }>();
  const violations: Violation[] = [];
  for (const { at, players } of samples)
    for (const player of players)
      for (const figure of FIGURES) {
        const key = `${figure} of ${player.name}`;
        const last = before.get(key) ?? { value: 0, at };
        const now = player[figure];
        before.set(key, { value: now, at });
        if (now >= last.value) continue;
        const near = crashes.filter(crash => crash.at < at && crash.at > last.at - SHOWN_MS);
        const lost = (who: string): number =>
          deaths.filter(
            death =>
              (figure === "deaths" ? death.victim : death.killer) === who &&
              near.some(crash => death.at > crash.savedAt && death.at < crash.at),
          ).length;
        const allowed =
          near.length === 0 ? 0 : figure === "playtimeSeconds" ? PLAYTIME_LOST_S : lost(player.name);
        if (last.value - now > allowed)
          violations.push({ at, what: `${key}: ${last.value}, then ${now}; a crash allows for ${allowed}` });
      }
  return violations;
}

/** In the end, every death is counted that was saved, and none that was not. */
export function judgeCounts(last: Sample, crashes: readonly Crash[], deaths: readonly Death[]): Violation[] {
  return last.players.flatMap(player =>
    (["victim", "killer"] as const).flatMap(role => {
      const own = deaths.filter(death => death[role] === player.name);
      const unsaved = own.filter(({ at }) => crashes.some(crash => at > crash.savedAt && at < crash.at));
      const counted = role === "victim" ? player.deaths : player.playerKills;
      if (counted <= own.length && counted >= own.length - unsaved.length) return [];
      const expected = `${own.length - unsaved.length} to ${own.length}`;
      return [{ at: last.at, what: `${player.name}: ${counted} as ${role}, expected ${expected}` }];
    }),
  );
}
