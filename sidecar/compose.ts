import type { BridgeStatus } from "../shared/status.ts";
import { textsForGame } from "./config/languages.ts";
import type { Config } from "./config/settings.ts";
import { createBansFeature } from "./features/bans/index.ts";
import { createLabels } from "./features/chat/chat.ts";
import { createChatFeature } from "./features/chat/index.ts";
import { createWebChat } from "./features/chat/web-chat.ts";
import { createChoicesFeature } from "./features/choices/index.ts";
import { createConsoleFeature } from "./features/console/index.ts";
import type { WebFile } from "./features/console/web-files.ts";
import type { ServiceContext } from "./features/context.ts";
import { createDocsFeature } from "./features/docs/index.ts";
import { createFeedFeature } from "./features/feed/index.ts";
import { createKnownPlayersFeature } from "./features/known-players/index.ts";
import { createLinkingFeature } from "./features/linking/index.ts";
import { createLinkStorage } from "./features/linking/storage.ts";
import type { Audit, AuditReader } from "./features/moderation/audit.ts";
import { createModerationFeature } from "./features/moderation/index.ts";
import { createModerators } from "./features/moderation/moderators.ts";
import { playersFeature } from "./features/players/index.ts";
import { createElsewhere } from "./features/servers/elsewhere.ts";
import type { CreateServerProbes, GameServer, ServiceFeature } from "./features/servers/game-server.ts";
import { createGameServers } from "./features/servers/game-server.ts";
import { createServersFeature } from "./features/servers/index.ts";
import { createSignInFeature } from "./features/sign-in/index.ts";
import { createSitesFeature } from "./features/sites/index.ts";
import { createStatusFeature } from "./features/status/index.ts";
import { createSnapshotAnswers } from "./features/status/snapshot-answers.ts";
import { createWhitelistFeature } from "./features/whitelist/index.ts";
import { createFacts } from "./kernel/bridge/facts.ts";
import { createPackSession, type PackSession } from "./kernel/bridge/pack-session.ts";
import type { Refusals } from "./kernel/http/refusals.ts";
import type { SharedState } from "./kernel/shared.ts";
import type { Log } from "./platform/log.ts";
import { openApi } from "./routes.ts";
import type { Stores } from "./stores.ts";

interface ComposeDeps {
  config: Pick<Config, "messages" | "modules" | "server" | "servers" | "signIn">;
  token: string;
  log: Log;
  /** not throttled, for lines that only owners can cause */
  ownerLog: Log;
  shared: SharedState;
  stores: Stores;
  audit: Audit;
  auditReader: AuditReader;
  createProbes: CreateServerProbes;
  /** the settings for holders of the token of the game server of this name; undefined: the first one */
  settingsFor(name: string | undefined): BridgeStatus["settings"];
  /** files of the web console, and the owner's logo */
  webFiles: readonly WebFile[];
  logo: WebFile | undefined;
}

/** Makes every feature of the service; nothing listens yet. */
export async function compose(deps: ComposeDeps) {
  const { config, token, log, ownerLog, shared, stores, audit, webFiles, logo } = deps;
  const { clock, time, rates, reach } = shared;
  const { api } = config.modules;

  const servers = await createGameServers(config, shared, {
    clock,
    log,
    reach,
    api,
    audit,
    stores,
    createProbes: deps.createProbes,
    settingsFor: deps.settingsFor,
    records: shared.records.volatile,
    bridgeId: await shared.bridgeId(),
  });
  const service: ServiceContext = { api, audit, clock, config, log, ownerLog, rates, servers, time };
  const answers = createSnapshotAnswers(servers, api.metricsRefreshInterval);
  const elsewhere = createElsewhere({ servers: servers.all, log });
  const storage = createLinkStorage({ clock, log, store: stores.links, reach });
  const labelOf = createLabels(token);
  const siteNames = new Map(config.signIn.clients.map(({ id, name }) => [id, name]));
  const siteName = (site: string): string => siteNames.get(site) ?? site;
  const webChat = await createWebChat({ time, store: stores.webChat, log: ownerLog, mode: api.chat.web });

  const choices = createChoicesFeature(service, { store: stores.choices, runOrRetry: storage.runOrRetry });
  const knownPlayers = await createKnownPlayersFeature(service, { store: stores.known, elsewhere });
  const { playerRequests } = stores;
  const linking = createLinkingFeature(service, {
    elsewhere,
    labelOf,
    playerRequests,
    siteName,
    storage,
    moderatorOf: link => moderators.ofLink(link),
  });
  const { links } = linking;
  const bansFeature = createBansFeature(service, {
    store: stores.bans,
    links: stores.links,
    known: knownPlayers.known && stores.known,
  });
  const { bans } = bansFeature;
  const feedFeature = await createFeedFeature(service, { feedLog: stores.feedLog, answers, webChat });
  const { feed } = feedFeature;
  const chat = createChatFeature(service, {
    bans,
    elsewhere,
    feed,
    labelOf,
    links,
    webChat,
    store: stores.webChat,
  });
  const moderation = createModerationFeature(service, { feed, webChat, auditReader: deps.auditReader });
  const whitelist = createWhitelistFeature(service);
  const sitesFeature = createSitesFeature(service, { bans, known: stores.known, links, siteName });
  const { sites } = sitesFeature;
  const moderators = createModerators({ first: api.moderators, links, bans, sites, servers });
  const signIn = await createSignInFeature(service, { store: stores.signIn, links, logo, sites, webFiles });

  const features: ServiceFeature[] = [
    // Reports of players who are online elsewhere, or banned, are dropped before other features get them.
    createServersFeature(service, elsewhere),
    bansFeature,
    choices,
    knownPlayers,
    createStatusFeature(service, { answers, storageFault: storage.fault }),
    playersFeature,
    linking,
    chat,
    moderation,
    whitelist,
    feedFeature,
    sitesFeature,
    signIn,
    createConsoleFeature(service, { logo, webChat, webFiles }),
    createDocsFeature(service, { logo, openApi, webFiles }),
  ];

  function packSession(server: GameServer, refusals: Pick<Refusals, "lastMinute">): PackSession {
    const { bus, game, connections, info, tag, name, outbox, parts } = server;
    const facts = createFacts({
      bus,
      clock,
      game,
      parts,
      log: server.log,
      server: tag.server,
      features: features.flatMap(feature => feature.facts?.(server) ?? []),
    });
    return createPackSession({
      clock,
      facts,
      outbox,
      refusals,
      log: server.log,
      refreshMs: api.metricsRefreshInterval,
      features: { bans: bans.of(server), connections, links: links.of(server) },
      greeting: { linkForm: api.linkForm, ...textsForGame(config.messages) },
      server: tag.server && (info.title ? `${info.title} (${name})` : name),
    });
  }

  return {
    features,
    packSession,
    storage,
    servers,
    moderators,
    useCases: {
      announce: moderation.announce,
      bans,
      chat: chat.chat,
      choices: choices.choices,
      feed,
      labelOf,
      links,
      known: knownPlayers.known,
      knownList: knownPlayers.knownList,
      kicksOf: moderation.kicksOf,
      mutes: moderation.mutes,
      moderators,
      sites,
      webChat,
      whitelistOf: whitelist.whitelistOf,
    },
    /** Stops what features and the retry queue do by themselves. */
    stop(): void {
      for (const feature of features) feature.stop?.();
      storage.stop();
    },
  };
}
