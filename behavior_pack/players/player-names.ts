import type { PlayerRef } from "../../shared/actions.ts";
import { dropOldest } from "../../shared/drop-oldest.ts";
import { checkJson, list, text } from "../../shared/guard.ts";
import { NAME_LENGTH, PLAYER_ID_LENGTH } from "../../shared/limits.ts";
import { foldName } from "../../shared/names.ts";
import { utf8Bytes } from "../../shared/text.ts";
import type { Clock, Store } from "../ports.ts";

const KEY = "web_bridge:names";
const MAX_PLAYERS = 500;
/** A world property may have 32,767. */
const MAX_BYTES = 30_000;
const SAVE_TICKS = 200;

/** A player with their most recent name. */
export type NamedPlayer = Pick<PlayerRef, "name" | "persistentId">;

type Player = NamedPlayer & { isForgotten?: boolean };

const storedNames = list(list(text(Math.max(NAME_LENGTH, PLAYER_ID_LENGTH), 1), 2), MAX_PLAYERS);

export type PlayerNames = ReturnType<typeof createPlayerNames>;

/** Names and `persistentId` of the most recent players, so that commands find players who are offline. */
export function createPlayerNames(clock: Clock, store: Store) {
  // By lower-case `persistentId`, the newest last; `isForgotten`: kept for this run of the script only.
  const names = new Map<string, Player>();
  let isLoaded = false;
  let isChanged = false;

  function put(player: Player): void {
    const key = player.persistentId.toLowerCase();
    names.delete(key);
    names.set(key, player);
    dropOldest(names, MAX_PLAYERS);
  }

  function load(): void {
    if (isLoaded) return;
    const read = checkJson(storedNames, String(store.read(KEY) ?? "[]"));
    const added = [...names.values()];
    for (const [persistentId, name] of "value" in read ? read.value : [])
      if (persistentId !== undefined && name !== undefined) put({ name, persistentId });
    isLoaded = true;
    added.forEach(put);
  }

  function save(): void {
    load();
    if (!isChanged) return;
    const rows = [...names.values()].filter(each => !each.isForgotten);
    const encode = () => JSON.stringify(rows.map(({ name, persistentId }) => [persistentId, name]));
    let encoded = encode();
    for (; utf8Bytes(encoded) > MAX_BYTES; encoded = encode()) rows.splice(0, Math.ceil(rows.length / 10));
    store.write(KEY, encoded);
    isChanged = false;
  }

  return {
    add({ name, persistentId }: NamedPlayer) {
      if (persistentId === "") return;
      put({ name, persistentId });
      isChanged = true;
    },
    /** Stops storing the player's name. */
    forget({ persistentId }: NamedPlayer) {
      const known = names.get(persistentId.toLowerCase());
      if (known) put({ ...known, isForgotten: true });
      isChanged = true;
    },
    /** The player with this name; undefined if there is none, or more than one. */
    find(name: string): NamedPlayer | undefined {
      load();
      const form = foldName(name);
      const [found, ...others] = [...names.values()].filter(each => foldName(each.name) === form);
      return others.length > 0 ? undefined : found;
    },
    /** To be called every tick. */
    step() {
      if (clock.tick() % SAVE_TICKS === 0) save();
    },
    save,
  };
}
