import { strictName } from "../../../shared/names.ts";
import { isUuid } from "../../../shared/public/schema-guards.ts";
import type { ModeratorEntry } from "../../config/admin-keys.ts";

/** The entry of a player, by uuid or else by name; undefined: there is none. Entries with a uuid are not compared with the name. */
export const entryOf = (
  entries: readonly ModeratorEntry[],
  { uuid, name }: { uuid: string; name: string },
): ModeratorEntry | undefined =>
  entries.find(({ player }) => player === uuid) ??
  entries.find(({ player }) => !isUuid(player) && player === strictName(name));
