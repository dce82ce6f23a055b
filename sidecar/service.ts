import type { Config } from "./config/settings.ts";
import { createBans } from "./features/bans/bans.ts";
import { createChat } from "./features/chat/chat.ts";
import { createLabels } from "./features/chat/labels.ts";
import { createRelay } from "./features/chat/relay.ts";
import { createWebChat } from "./features/chat/web-chat.ts";
import { createFeed } from "./features/feed/feed.ts";
import { createKnownList } from "./features/known-players/known-list.ts";
import { createKnownPlayers } from "./features/known-players/known-players.ts";
import { createLinkRates } from "./features/linking/link-rates.ts";
import { createLinks } from "./features/linking/links.ts";
import { createRequestGate } from "./features/linking/request-gate.ts";
import { createAnnounce } from "./features/moderation/announce.ts";
import type { Audit } from "./features/moderation/audit.ts";
import { createChoices } from "./features/servers/choices.ts";
import { createElsewhere } from "./features/servers/elsewhere.ts";
import type { Worlds } from "./features/servers/world.ts";
import { createSites } from "./features/sites/sites.ts";
import type { Shared } from "./kernel/storage/ports/shared.ts";
import { StorageAway } from "./kernel/storage/ports.ts";
import { createStorage, createWaiting } from "./kernel/storage/waiting.ts";
import type { Log } from "./platform/log.ts";
import type { Stores } from "./stores.ts";

/** The link request lives in quarters: the sweep comes once in each. */
const SWEEPS_PER_REQUEST = 4;

/** The use cases that are of the service and not of one game server, by what the settings say: links, feed and chat. */
export async function createService(deps: {
  config: Pick<Config, "messages" | "modules" | "signIn">;
  /** shared secret of pack and sidecar */
  token: string;
  log: Log;
  /** for lines that only owners can cause: none of them is left out */
  ownerLog: Log;
  shared: Shared;
  stores: Stores;
  worlds: Worlds;
  audit: Audit;
}) {
  const { log, shared, stores, worlds } = deps;
  const { clock, time, reach } = shared;
  const { messages } = deps.config;
  const { api } = deps.config.modules;
  const storage = createStorage({ clock, log, store: stores.links, reach });
  const siteNames = new Map(deps.config.signIn.clients.map(({ id, name }) => [id, name]));
  const siteName = (site: string): string => siteNames.get(site) ?? site;
  const elsewhere = createElsewhere({ worlds: worlds.all, log });
  const links = createLinks({
    elsewhere,
    siteName,
    time,
    storage,
    worlds,
    gate: createRequestGate(stores.playerRequests, {
      coolDownMs: api.limits.linkCoolDown,
      perMinute: api.limits.linkRequestsPerMinutePerPlayer,
    }),
    rates: createLinkRates(shared.rates, api.limits),
    log,
    verificationMs: api.verificationTimeout,
    keepMs: api.sessionCookie.maxAge,
  });
  const isRemembered = api.knownPlayers.show !== "off";
  const bans = createBans({
    ...{ clock, log, worlds, audit: deps.audit },
    store: stores.bans,
    known: isRemembered ? stores.known : undefined,
    links: stores.links,
  });
  const webChat = await createWebChat({
    time,
    store: shared.webChat,
    log: deps.ownerLog,
    mode: api.chat.web,
  });
  const bounds = { entries: api.events.keep, forMs: api.events.keepFor };
  const feed = await createFeed({ clock, log: shared.feedLog, bounds });
  const labelOf = createLabels(deps.token);
  const format = messages["api.chat-format-from-web"];
  const guest = messages["api.chat-guest-name"];
  const chat = createChat({ feed, worlds: deps.worlds, links, bans, webChat, labelOf, format, guest });
  const announce = createAnnounce({ feed, webChat, format: messages["api.announce-format"] });
  const isRelayed = api.chat.relay && !deps.worlds.isOne;
  const relay = createRelay({
    ...{ rates: shared.rates, worlds: deps.worlds },
    format: isRelayed ? messages["api.chat-format-from-server"] : undefined,
  });
  const stopSweep = clock.every(api.verificationTimeout / SWEEPS_PER_REQUEST, () => {
    links.sweep().catch((error: unknown) => {
      // Whoever looks for a storage that is away says so; the next sweep does this one's work.
      if (!(error instanceof StorageAway)) log.error({ error }, "could not settle link requests");
    });
  });
  const { uuidOf } = worlds.first;
  const choices = createChoices({ store: stores.choices, keep: storage.keep, log: deps.ownerLog, uuidOf });
  const limits = {
    most: api.limits.knownPlayers,
    keepForMs: api.knownPlayers.keepFor,
    staysForMs: api.knownPlayers.staysFor,
  };
  // Apart from that of links, which has its own file: where the one fails, the other goes on.
  const forgetting = createWaiting({ clock, log, what: "player records to erase" });
  const known = isRemembered
    ? createKnownPlayers({ clock, log, store: stores.known, keep: forgetting.keep, worlds, limits })
    : undefined;
  if (!isRemembered) await stores.known.clear();
  return {
    storage,
    /** undefined: nobody is remembered who has been here */
    known,
    knownList: isRemembered ? createKnownList({ store: stores.known, worlds }) : undefined,
    /** undefined: there is one game server, which remembers what its players choose */
    choices: worlds.isOne ? undefined : choices,
    links,
    bans,
    elsewhere,
    sites: createSites({ clock, links, worlds, known: stores.known, bans, siteName }),
    webChat,
    feed,
    labelOf,
    chat,
    announce,
    relay,
    /** Settles no more link requests, and tries nothing again that could not be stored. */
    stopTrying(): void {
      stopSweep();
      storage.stop();
      forgetting.stop();
    },
  };
}
