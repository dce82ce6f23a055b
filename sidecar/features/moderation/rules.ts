import { isUuid } from "../../../shared/public/schema-guards.ts";
import type { ModeratorEntry } from "../../config/admin-keys.ts";

/** Bans compare names more loosely, which here would give one player's permissions to another, such as Straße for Strasse. */
const comparable = (name: string): string => name.normalize("NFC").toLowerCase();

/** The entry of a player, by uuid or else by name; undefined: there is none. Of a name, an entry that is a uuid says nothing. */
export function entryOf(
  entries: readonly ModeratorEntry[],
  { uuid, name }: { uuid: string; name: string },
): ModeratorEntry | undefined {
  const byUuid = entries.find(({ player }) => player.toLowerCase() === uuid);
  return (
    byUuid ??
    entries.find(({ player }) => !isUuid(player.toLowerCase()) && comparable(player) === comparable(name))
  );
}
