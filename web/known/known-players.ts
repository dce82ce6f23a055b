import { createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import type { ServiceSettings } from "../../client/types.ts";
import type { Place } from "../platform/route.ts";
import { type KnownListing, useKnownList } from "./use-known-list.ts";
import { type KnownOne, useKnownPlayer } from "./use-known-player.ts";

/** Everybody who has been here, as far as the place in the page asks for them. */
export interface Known {
  place: Place;
  /** Has the address say another place, in the stead of this one. */
  replace(hash: string): void;
  listing: KnownListing;
  player: KnownOne;
  /** how long is remembered when somebody was here, in milliseconds; undefined: nobody is told */
  staysForMs: number | undefined;
  /** whether there are several game servers, whose figures are told together */
  ofSeveral: boolean;
}

const KnownContext = createContext<Known | undefined>(undefined);
export const KnownProvider = KnownContext.Provider;
/** Undefined for whom it is as if nobody were remembered. */
export const useKnown = (): Known | undefined => useContext(KnownContext);

/** `key`: one that was entered and reads of everybody. What is returned is for `KnownProvider`. */
export function useKnownOf(
  { knownPlayers, staysForMs, servers }: ServiceSettings,
  key: string | undefined,
  place: Place,
  replace: Known["replace"],
): Known | undefined {
  const mayRead = knownPlayers === "everybody" || (knownPlayers === "key" && key !== undefined);
  const listing = useKnownList(place, key, mayRead && place.page === "overview" && place.view !== "online");
  const player = useKnownPlayer(place.uuid, key, mayRead && place.page === "player");
  const ofSeveral = servers !== undefined;
  return useMemo(
    () => (mayRead ? { place, replace, listing, player, staysForMs, ofSeveral } : undefined),
    [mayRead, place, replace, listing, player, staysForMs, ofSeveral],
  );
}
