import { type BanStore, createBanStore } from "./features/bans/records.ts";
import { createKnownStore, type KnownStore } from "./features/known-players/records.ts";
import {
  createLinkStore,
  createPlayerRequestStore,
  type LinkStore,
  type PlayerRequestStore,
} from "./features/linking/records.ts";
import {
  type ChoiceStore,
  createChoiceStore,
  createGameServerStore,
  type GameServerStore,
} from "./features/servers/records.ts";
import { createSignInStore, type SecretStore, type SignInStore } from "./features/sign-in/records.ts";
import type { Shared } from "./kernel/storage/ports/shared.ts";

/** What features keep. */
export interface Stores {
  links: LinkStore;
  playerRequests: PlayerRequestStore;
  choices: ChoiceStore;
  known: KnownStore;
  bans: BanStore;
  signIn: SignInStore & SecretStore;
  /** by the stored name of the game server: blank for the first one */
  gameServer(name: string): GameServerStore;
}

export function createStores({
  records,
  secrets,
  time,
}: Pick<Shared, "records" | "secrets" | "time">): Stores {
  const { links, players, bans, volatile } = records;
  return {
    links: createLinkStore(links),
    playerRequests: createPlayerRequestStore(volatile, volatile.now),
    choices: createChoiceStore(links),
    known: createKnownStore(players),
    bans: createBanStore(bans),
    signIn: { ...createSignInStore(links, time), ...secrets },
    gameServer: name => createGameServerStore(links, name),
  };
}
