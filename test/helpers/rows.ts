import { ASKED_BY_NAME } from "../../shared/actions.ts";
import type { PlayerRow } from "../../shared/facts.ts";
import type { Hello } from "../../shared/requests.ts";
import { PRODUCT_VERSION, WIRE_OLDEST, WIRE_VERSION } from "../../shared/version.ts";

/** A row of the player list with made-up figures. */
export function row(name: string, more: Partial<PlayerRow> = {}): PlayerRow {
  const player = { id: `-${name}`, persistentId: `persistent-${name}`, name };
  return { player, health: 20, deaths: 1, playerKills: 2, playtimeSeconds: 3, ...more };
}

export const hello = (run = "run"): Hello => ({
  product: PRODUCT_VERSION,
  wire: WIRE_VERSION,
  wireOldest: WIRE_OLDEST,
  run,
  firstFact: 1,
  knows: [...ASKED_BY_NAME],
});
