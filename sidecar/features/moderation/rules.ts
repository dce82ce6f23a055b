import { isUuid } from "../../../shared/public/schema-guards.ts";
import { comparable, type ModeratorEntry } from "../../config/admin-keys.ts";

/** The entry of a player, by uuid or else by name; undefined: there is none. Of a name, an entry that is a uuid says nothing. */
export const entryOf = (
  entries: readonly ModeratorEntry[],
  { uuid, name }: { uuid: string; name: string },
): ModeratorEntry | undefined =>
  entries.find(({ player }) => player === uuid) ??
  entries.find(({ player }) => !isUuid(player) && player === comparable(name));
