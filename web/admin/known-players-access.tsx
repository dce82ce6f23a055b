import type { ServiceSettings } from "../../client/types.ts";
import { texts } from "../platform/texts.ts";

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
