import type { BridgeStatus } from "../shared/status.ts";
import { textsForGame } from "./config/languages.ts";
import type { FurtherServer } from "./config/servers.ts";
import type { Config } from "./config/settings.ts";
import { createBansFeature } from "./features/bans/index.ts";
import { createLabels } from "./features/chat/chat.ts";
import { createChatFeature } from "./features/chat/index.ts";
import { createWebChat } from "./features/chat/web-chat.ts";
import { createConsoleFeature } from "./features/console/index.ts";
import type { WebFile } from "./features/console/web-files.ts";
import { createDocsFeature } from "./features/docs/index.ts";
import { createFeedFeature } from "./features/feed/index.ts";
import { createKnownPlayersFeature } from "./features/known-players/index.ts";
import { createLinkingFeature } from "./features/linking/index.ts";
import { createLinkStorage } from "./features/linking/storage.ts";
import type { Audit } from "./features/moderation/audit.ts";
import { createModerationFeature } from "./features/moderation/index.ts";
import { playersFeature } from "./features/players/index.ts";
import { createChoiceSync } from "./features/servers/choices.ts";
import { createElsewhere } from "./features/servers/elsewhere.ts";
import type { GameServer, ServiceFeature } from "./features/servers/game-server.ts";
import { createGameServers, type LocalServer } from "./features/servers/game-server.ts";
import { createChoicesFeature, createServersFeature } from "./features/servers/index.ts";
import { createSignInFeature } from "./features/sign-in/index.ts";
import { createSitesFeature } from "./features/sites/index.ts";
import { createStatusFeature } from "./features/status/index.ts";
import { createSnapshotAnswers } from "./features/status/snapshot-answers.ts";
import { createWhitelistFeature } from "./features/whitelist/index.ts";
import { createFacts } from "./kernel/bridge/facts.ts";
import { createPackSession, type PackSession } from "./kernel/bridge/pack-session.ts";
import type { Refusals } from "./kernel/http/refusals.ts";
import type { AskGame, ProcessProbe } from "./kernel/storage/ports.ts";
import type { Shared } from "./kernel/storage/shared.ts";
import type { Log } from "./platform/log.ts";
import { openApi } from "./routes.ts";
import type { Stores } from "./stores.ts";

export interface ComposeDeps {
  config: Pick<Config, "messages" | "modules" | "server" | "servers" | "signIn">;
  token: string;
  log: Log;
  /** not throttled, for lines that only owners can cause */
  ownerLog: Log;
  shared: Shared;
  stores: Stores;
  audit: Audit;
  probe: ProcessProbe;
  askGame: AskGame | undefined;
  /** what this machine sees of a game server beside the first one */
  localServer(server: FurtherServer): LocalServer;
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
  const { messages, modules } = config;
  const { api, web } = modules;

  const servers = await createGameServers(config, shared, {
    clock,
    log,
    reach,
    api,
    audit,
    probe: deps.probe,
    askGame: deps.askGame,
    records: shared.records.volatile,
    bridgeId: await shared.bridgeId(),
    connectionStore: stores.connection,
    historyStore: stores.history,
    feedLog: stores.feedLog,
    localServer: deps.localServer,
    settingsFor: deps.settingsFor,
  });
  const answers = createSnapshotAnswers(servers, api.metricsRefreshInterval);
  const elsewhere = createElsewhere({ servers: servers.all, log });
  const storage = createLinkStorage({ clock, log, store: stores.links, reach });

  const labelOf = createLabels(token);
  const siteNames = new Map(config.signIn.clients.map(({ id, name }) => [id, name]));
  const siteName = (site: string): string => siteNames.get(site) ?? site;

  const knownPlayersFeature = await createKnownPlayersFeature({
    api,
    clock,
    elsewhere,
    log,
    servers,
    store: stores.known,
  });
  const linkingFeature = createLinkingFeature({
    api,
    clock,
    elsewhere,
    labelOf,
    log,
    rates,
    siteName,
    storage,
    time,
    servers,
    playerRequests: stores.playerRequests,
  });
  const { links } = linkingFeature;
  const bansFeature = createBansFeature({
    audit,
    clock,
    log,
    ownerLog,
    servers,
    store: stores.bans,
    links: stores.links,
    known: knownPlayersFeature.known && stores.known,
  });
  const { bans } = bansFeature;
  const choices = createChoiceSync({
    store: stores.choices,
    runOrRetry: storage.runOrRetry,
    log: ownerLog,
    uuidOf: servers.first.uuidOf,
  });
  const webChat = await createWebChat({
    time,
    store: stores.webChat,
    log: ownerLog,
    mode: api.chat.web,
  });
  const feedFeature = await createFeedFeature({
    answers,
    api,
    clock,
    log,
    webChat,
    servers,
    feedLog: stores.feedLog,
  });
  const { feed } = feedFeature;
  const chatFeature = createChatFeature({
    bans,
    clock,
    config,
    elsewhere,
    feed,
    labelOf,
    links,
    log,
    rates,
    webChat,
    servers,
    webChatStore: stores.webChat,
  });
  const moderationFeature = createModerationFeature({
    config,
    feed,
    log,
    ownerLog,
    webChat,
    clock,
    servers,
  });
  const whitelistFeature = createWhitelistFeature({ api, clock, log, ownerLog, servers });
  const sitesFeature = createSitesFeature({
    api,
    bans,
    clock,
    known: stores.known,
    links,
    siteName,
    servers,
  });
  const { sites } = sitesFeature;
  const signInFeature = await createSignInFeature({
    api,
    audit,
    clock,
    config,
    links,
    log,
    logo,
    rates,
    sites,
    time,
    web,
    webFiles,
    servers,
    store: stores.signIn,
  });

  const features: ServiceFeature[] = [
    // Reports of players who are online elsewhere, or banned, are dropped before other features get them.
    createServersFeature({ api, elsewhere, servers }),
    bansFeature,
    ...(servers.isOne ? [] : [createChoicesFeature(choices)]),
    knownPlayersFeature,
    createStatusFeature({ answers, api, storageFault: storage.fault, web, servers }),
    playersFeature,
    linkingFeature,
    chatFeature,
    moderationFeature,
    whitelistFeature,
    feedFeature,
    sitesFeature,
    signInFeature,
    createConsoleFeature({ api, hasSignIn: config.signIn.enabled, logo, web, webChat, webFiles, servers }),
    createDocsFeature({ api, logo, openApi, web, webFiles }),
  ];

  function packSession(server: GameServer, refusals: Pick<Refusals, "lastMinute">): PackSession {
    const { bus, game, connections, info, tag, name, outbox, parts } = server;
    const facts = createFacts({
      bus,
      clock,
      game,
      log: server.log,
      parts,
      server: tag.server,
      features: features.flatMap(feature => feature.facts?.(server) ?? []),
    });
    return createPackSession({
      clock,
      facts,
      log: server.log,
      outbox,
      refusals,
      refreshMs: api.metricsRefreshInterval,
      features: { bans: bans.of(server), connections, links: links.of(server) },
      greeting: { linkForm: api.linkForm, ...textsForGame(messages) },
      server: tag.server && (info.title ? `${info.title} (${name})` : name),
    });
  }

  return {
    features,
    packSession,
    storage,
    servers,
    useCases: {
      announce: moderationFeature.announce,
      bans,
      chat: chatFeature.chat,
      choices,
      feed,
      labelOf,
      links,
      known: knownPlayersFeature.known,
      knownList: knownPlayersFeature.knownList,
      kicksOf: moderationFeature.kicksOf,
      sites,
      webChat,
      whitelistOf: whitelistFeature.whitelistOf,
    },
    /** Stops what features and the retry queue do by themselves. */
    stop(): void {
      for (const feature of features) feature.stop?.();
      storage.stop();
    },
  };
}
