import type { ServiceSettings } from "../../client/types.ts";
import { texts } from "../platform/texts.ts";
import { client } from "../service/service.ts";

/** Whether a key, which is one, reads when somebody was here. */
export async function readsKnown(
  { knownPlayers, staysForMs }: ServiceSettings,
  key: string,
): Promise<boolean> {
  if (staysForMs === undefined) return false;
  const list = await client.knownPlayers({ limit: 1, key });
  // Where everybody reads who was here, any key does.
  if (!list.ok || knownPlayers === "key") return list.ok;
  const [first] = list.value.players;
  const one = first && (await client.knownPlayer(first.uuid, { key }));
  return one === undefined || (one.ok && one.value.stays !== undefined);
}

/** What is told of everybody who has been here, and to whom: for whoever keeps the server. */
export function WhoReads({ data: { knownPlayers } }: { data: ServiceSettings }) {
  if (knownPlayers === "off") return null;
  return (
    <>
      <h3>{texts.whoReads.title}</h3>
      <p>{texts.whoReads[knownPlayers]}</p>
    </>
  );
}
