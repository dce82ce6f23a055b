import type { Seen, Trial } from "../probe.ts";
import { ask, askRecord, type Held, skipped, textOf } from "./say.ts";

/** Names of the players that the trial makes up, which no report tells. */
export const FIRST = "ProveFirst";
export const SECOND = "Prove Second";

/** A line of FIDELITY.md about such players. */
export const madeUp = (cell: string): string => `@minecraft/server-gametest / ${cell}`;

/** What was noted, in words. */
export const kinds = (noted: readonly Held[]): string =>
  noted.map(({ is }) => textOf(is)).join(", ") || "nothing";

/** Of what was noted that of these kinds. */
export const only = (noted: readonly Held[], ...wanted: string[]): Held[] =>
  noted.filter(({ is }) => wanted.includes(textOf(is)));

/** Asks with players of the game's own kind for tests, who are gone again afterwards. */
export async function withPlayers(
  trial: Trial,
  names: readonly string[],
  use: (...came: Held[]) => Promise<Seen>,
): Promise<Seen> {
  if ((await ask(trial, "player-offered")) !== true) return skipped("the game offers no simulated players");
  await ask(trial, "all-go");
  try {
    const came: Held[] = [];
    for (const name of names) came.push(await askRecord(trial, "player-come", { name }));
    return await use(...came);
  } finally {
    await ask(trial, "all-go").catch(() => undefined);
  }
}
