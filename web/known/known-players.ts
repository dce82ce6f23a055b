import { createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import type { ServiceSettings } from "../../client/types.ts";
import type { Route } from "../platform/route.ts";
import { type NewPlayers, useNewPlayers } from "./use-new-players.ts";
import { type Places, usePlaces } from "./use-places.ts";
import { type PlayerDetails, usePlayerDetails } from "./use-player-details.ts";
import { type PlayerListing, usePlayerListing } from "./use-player-listing.ts";

/** Known players, as far as the route shows them. */
export interface KnownPlayersState {
  route: Route;
  /** Changes the address without a new entry in the history. */
  replace(hash: string): void;
  listing: PlayerListing;
  details: PlayerDetails;
  /** of the player whose details are shown */
  places: Places;
  /** undefined until they have loaded */
  newPlayers: NewPlayers | undefined;
  /** how long visits are remembered, in milliseconds; undefined: they are not shown */
  staysForMs: number | undefined;
  /** whether the figures are sums over several game servers */
  ofSeveral: boolean;
}

const KnownPlayersContext = createContext<KnownPlayersState | undefined>(undefined);
export const KnownPlayersProvider = KnownPlayersContext.Provider;
/** Undefined where this visitor may not read known players. */
export const useKnownPlayers = (): KnownPlayersState | undefined => useContext(KnownPlayersContext);

/** The value for `KnownPlayersProvider`. `key`: one that was entered and reads known players. */
export function useKnownPlayersState(
  { knownPlayers, staysForMs, servers }: ServiceSettings,
  key: string | undefined,
  route: Route,
  replace: KnownPlayersState["replace"],
): KnownPlayersState | undefined {
  const mayRead = knownPlayers === "everybody" || (knownPlayers === "key" && key !== undefined);
  const showsList = route.page === "overview" && route.view !== "online";
  const listing = usePlayerListing(route, key, mayRead && showsList);
  const details = usePlayerDetails(route.uuid, key, mayRead && route.page === "player");
  const places = usePlaces(details.player, key, mayRead && route.page === "player");
  const newPlayers = useNewPlayers(key, mayRead && route.page === "overview");
  const ofSeveral = servers !== undefined;
  return useMemo(
    () =>
      mayRead ? { route, replace, listing, details, places, newPlayers, staysForMs, ofSeveral } : undefined,
    [mayRead, route, replace, listing, details, places, newPlayers, staysForMs, ofSeveral],
  );
}
