import type { KnownStore } from "../../sidecar/features/known-players/records.ts";
import type { Visit } from "../../sidecar/features/known-players/rules/known-players.ts";
import { createMemoryKnown } from "../../test/helpers/memory-known.ts";

const HOUR_MS = 3_600_000;
/** A known player; by default all figures are 0, with a visit yesterday. */
export interface Person {
  name: string;
  kills?: number;
  deaths?: number;
  playtimeSeconds?: number;
  visits?: number;
  /** how many hours before now the player was seen first and last */
  firstHours?: number;
  lastHours?: number;
  stays?: Visit[];
}

/** The uuid of the player with this number. */
export const uuidOf = (i: number): string => `00000000-0000-4000-8000-${`${i}`.padStart(12, "0")}`;

/** A store with these known players, whose uuids follow their numbers. */
export async function knowing(people: readonly Person[], now: number): Promise<KnownStore> {
  const store = createMemoryKnown();
  const all = new Map(people.map((person, i) => [uuidOf(i), person]));
  const decide = (uuid: string) => {
    const person = all.get(uuid);
    if (person === undefined) return undefined;
    const { name, kills = 0, deaths = 0, playtimeSeconds = 0, visits = 1, stays = [] } = person;
    const { firstHours = 48, lastHours = 24 } = person;
    const record = {
      ...{ name, visits, first: now - firstHours * HOUR_MS, last: now - lastHours * HOUR_MS },
      servers: { "": { last: [deaths, kills, playtimeSeconds] } },
    };
    return { record, ended: stays };
  };
  await store.change([...all.keys()], decide, { most: people.length + 1 });
  return store;
}
