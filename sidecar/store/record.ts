import { checkJson, type Guard, int, object, optional, tagged, text } from "../../shared/guard.ts";
import { ID_LENGTH, NAME_LENGTH, PLAYER_ID_LENGTH } from "../../shared/limits.ts";
import type { LinkRecord } from "../domain/links.ts";

const time = int(0, Number.MAX_SAFE_INTEGER);
const id = text(ID_LENGTH, 1);

const player = object({
  id: text(PLAYER_ID_LENGTH, 1),
  persistentId: text(PLAYER_ID_LENGTH),
  name: text(NAME_LENGTH, 1),
  uuid: text(ID_LENGTH, 1),
});

const linkRecord: Guard<LinkRecord> = object({
  link: tagged("status", {
    not_linked: object({ until: optional(time) }),
    pending: object({ request: id, player, deadline: time }),
    declined: object({ until: time, alike: optional(id) }),
    accepted: object({ player, at: optional(time) }),
  }),
  asking: optional(
    object({ request: id, username: optional(text(NAME_LENGTH)), until: time, deadline: time }),
  ),
});

/** The record that a stored text holds, or undefined when it has been damaged. */
export function parseRecord(stored: string): LinkRecord | undefined {
  const read = checkJson(linkRecord, stored);
  return "value" in read ? read.value : undefined;
}
