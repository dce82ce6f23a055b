import type { PlayerRef } from "../../shared/actions.ts";
import { checkJson, list, text } from "../../shared/guard.ts";
import { NAME_LENGTH, PLAYER_ID_LENGTH } from "../../shared/limits.ts";
import { folded } from "../../shared/names.ts";
import { utf8Bytes } from "../../shared/text.ts";
import type { Clock, Store } from "../ports.ts";

const KEY = "web_bridge:names";
const MAX_PLAYERS = 500;
/** A value of the world may have 32,767. */
const MAX_BYTES = 30_000;
const SAVE_TICKS = 200;

/** A player under the newest name that is known. */
export type NamedPlayer = Pick<PlayerRef, "name" | "persistentId">;

type Player = NamedPlayer & { isForgotten?: boolean };

const stored = list(list(text(Math.max(NAME_LENGTH, PLAYER_ID_LENGTH), 1), 2), MAX_PLAYERS);

/** Names of the players who were here last, with their `persistentId`, so that commands find players who are away. */
export function createKnownNames(clock: Clock, store: Store) {
  // By `persistentId` without case, the newest last; `isForgotten`: for this run of the script only.
  const names = new Map<string, Player>();
  let isLoaded = false;
  let isDirty = false;

  function put(player: Player): void {
    const key = player.persistentId.toLowerCase();
    names.delete(key);
    names.set(key, player);
    const [oldest] = names.size > MAX_PLAYERS ? names.keys() : [];
    if (oldest !== undefined) names.delete(oldest);
  }

  function load(): void {
    if (isLoaded) return;
    const read = checkJson(stored, String(store.read(KEY) ?? "[]"));
    const seen = [...names.values()];
    for (const [persistentId, name] of "value" in read ? read.value : [])
      if (persistentId !== undefined && name !== undefined) put({ name, persistentId });
    isLoaded = true;
    seen.forEach(put);
  }

  function save(): void {
    load();
    if (!isDirty) return;
    const rows = [...names.values()].filter(each => !each.isForgotten);
    const textOf = () => JSON.stringify(rows.map(({ name, persistentId }) => [persistentId, name]));
    let written = textOf();
    for (; utf8Bytes(written) > MAX_BYTES; written = textOf()) rows.splice(0, Math.ceil(rows.length / 10));
    store.write(KEY, written);
    isDirty = false;
  }

  return {
    saw({ name, persistentId }: NamedPlayer) {
      if (persistentId === "") return;
      put({ name, persistentId });
      isDirty = true;
    },
    /** Stores the name of this player no longer. */
    forget({ persistentId }: NamedPlayer) {
      const held = names.get(persistentId.toLowerCase());
      if (held) put({ ...held, isForgotten: true });
      isDirty = true;
    },
    /** The player of this name; undefined: nobody, or more than one. */
    find(name: string): NamedPlayer | undefined {
      load();
      const form = folded(name);
      const [found, ...others] = [...names.values()].filter(each => folded(each.name) === form);
      return others.length > 0 ? undefined : found;
    },
    /** To be called every tick. */
    step() {
      if (clock.tick() % SAVE_TICKS === 0) save();
    },
    save,
  };
}
