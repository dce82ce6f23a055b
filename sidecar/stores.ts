import { type BanStore, createBanStore } from "./features/bans/records.ts";
import { createWebChatStore, WEB_CHAT_CHANGES, type WebChatStore } from "./features/chat/records.ts";
import { type ChoiceStore, createChoiceStore } from "./features/choices/records.ts";
import { createFeedLog, type FeedLog } from "./features/feed/feed-log.ts";
import { FEED } from "./features/feed/records.ts";
import type { Bounds } from "./features/feed/rules/window.ts";
import { createKnownStore, type KnownStore } from "./features/known-players/records.ts";
import {
  createLinkStore,
  createPlayerRequestStore,
  type LinkStore,
  type PlayerRequestStore,
} from "./features/linking/records.ts";
import { type ConnectionStore, createConnectionStore } from "./features/servers/records.ts";
import {
  createSecretStore,
  createSignInStore,
  type SecretStore,
  type SignInStore,
} from "./features/sign-in/records.ts";
import { createHistoryStore, type HistoryStore } from "./features/status/records.ts";
import { createHookStore, type HookStore } from "./features/webhooks/records.ts";
import type { SharedState } from "./kernel/shared.ts";

/** The stores of features. */
export interface Stores {
  links: LinkStore;
  playerRequests: PlayerRequestStore;
  choices: ChoiceStore;
  known: KnownStore;
  bans: BanStore;
  signIn: SignInStore & SecretStore;
  /** by the stored name of the game server: blank for the first one */
  connection(name: string): ConnectionStore;
  feedLog: FeedLog;
  /** the plots of that game server */
  history(name: string): HistoryStore;
  hooks: HookStore;
  webChat: WebChatStore;
}

/** Feed entries over the limits that are stored for processes that have lost their connection. */
const SPARE_ENTRIES = 10_000;
/** Most stored changes of the chat rules. */
const MAX_CHANGES = 100;

/** The streams that features append to, with the most entries that shared storage keeps. */
export const streamsOf = ({ entries }: Bounds) => [
  { of: FEED, max: entries + SPARE_ENTRIES },
  { of: WEB_CHAT_CHANGES, max: MAX_CHANGES },
];

/**
 * The stores of features, in the records that sidecars share.
 * @param own.bounds of the feed
 * @param own.secrets where the secrets of sign-ins are stored, if not in the records
 */
export function createStores(
  { clock, reach, records, time }: Pick<SharedState, "clock" | "reach" | "records" | "time">,
  own: { bounds: Bounds; secrets?: SecretStore | undefined },
): Stores {
  const { links, players, bans, feed, volatile } = records;
  const secrets = own.secrets ?? createSecretStore(links);
  return {
    links: createLinkStore(links),
    playerRequests: createPlayerRequestStore(volatile, volatile.now),
    choices: createChoiceStore(links),
    known: createKnownStore(players),
    bans: createBanStore(bans),
    signIn: { ...createSignInStore(links, time), ...secrets },
    connection: name => createConnectionStore(links, name),
    feedLog: createFeedLog({ records: feed, clock, bounds: own.bounds }),
    history: name => createHistoryStore(feed, name),
    hooks: createHookStore(feed),
    webChat: createWebChatStore(volatile, reach),
  };
}
