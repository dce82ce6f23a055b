import type { ServiceSettings } from "../../client/types.ts";
import { texts } from "../platform/texts.ts";
import { client } from "../service/service.ts";

/** Whether a valid key may read when known players were online. */
export async function readsKnownPlayers(
  { knownPlayers, staysForMs }: ServiceSettings,
  key: string,
): Promise<boolean> {
  if (staysForMs === undefined) return false;
  const list = await client.knownPlayers({ limit: 1, key });
  // Where the list is public, every key reads it.
  if (!list.ok || knownPlayers === "key") return list.ok;
  const [first] = list.value.players;
  const player = first && (await client.knownPlayer(first.uuid, { key }));
  return player === undefined || (player.ok && player.value.stays !== undefined);
}

/** Says who can read the known players. */
export function KnownPlayersAccess({ data: { knownPlayers } }: { data: ServiceSettings }) {
  if (knownPlayers === "off") return null;
  return (
    <>
      <h3>{texts.whoReads.title}</h3>
      <p>{texts.whoReads[knownPlayers]}</p>
    </>
  );
}
