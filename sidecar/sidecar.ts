import type { AddressInfo } from "node:net";
import type { BridgeStatus } from "../shared/status.ts";
import { type AdminKey, allKeys } from "./config/admin-keys.ts";
import { textsForGame } from "./config/languages.ts";
import type { FurtherServer } from "./config/servers.ts";
import type { Config } from "./config/settings.ts";
import { readLogo } from "./features/console/logo.ts";
import type { WebFile } from "./features/console/web-files.ts";
import type { Audit } from "./features/moderation/audit.ts";
import { FIGURES } from "./features/servers/world.ts";
import { createWorlds, type LocalServer } from "./features/servers/worlds.ts";
import { readiness } from "./features/status/readiness.ts";
import { startWebhooks } from "./features/webhooks/webhooks.ts";
import { createBridgeServer } from "./kernel/bridge/listener.ts";
import { createKeys } from "./kernel/http/keys.ts";
import { listen } from "./kernel/http/listen.ts";
import { drainable } from "./kernel/http/overload/drain.ts";
import { PATIENCE, type Patience } from "./kernel/http/overload/server.ts";
import { createRefusals } from "./kernel/http/refusals.ts";
import type { AskGame, ProcessProbe } from "./kernel/storage/ports/game.ts";
import type { Shared } from "./kernel/storage/ports/shared.ts";
import type { Log } from "./platform/log.ts";
import { createSidecarMetrics } from "./platform/metrics.ts";
import { throttledLog } from "./platform/throttled-log.ts";
import { createPublicService } from "./public.ts";
import { createService } from "./service.ts";
import { createStores, type Stores } from "./stores.ts";

/**
 * When the sidecar stops: how long the game may take for what it was asked and then for what it is telling, and how long all
 * may take, in milliseconds.
 */
const GRACE_MS = 2_000;
const LAST_FACTS_MS = 500;
const STOP_MS = 3_500;

interface SidecarDeps {
  config: Config;
  /** shared secret of the sidecar and the pack of the first game server */
  token: string;
  /** those of the others by their names; as configured where it is left out */
  tokens?: ReadonlyMap<string, string>;
  /** where the configuration came from, and digests of what it says, for whoever has this token */
  settings?(token: string): BridgeStatus["settings"];
  log: Log;
  shared: Shared;
  /** what features keep somewhere else than in what is shared */
  stores?: Partial<Stores>;
  probe: ProcessProbe;
  /** undefined: there is no game server to ask on this machine */
  askGame?: AskGame | undefined;
  /** how another game server than the first is seen from this machine; the same way where it is left out */
  seen?(server: FurtherServer): LocalServer;
  /** where changes by holders of keys are written; nowhere when it is left out */
  audit?: Audit;
  /** files of the web console, empty when it was not built */
  webFiles?: readonly WebFile[];
  /** connections that the system leaves room for, where that is known */
  possibleConnections?: number | undefined;
  /** how long clients may take; as usual unless a test is about it */
  patience?: Patience;
}

export interface Sidecar {
  /** real addresses of the listeners */
  publicAddress: AddressInfo;
  bridgeAddress: AddressInfo;
  /** Takes other keys of administrators in the place of those that there are. */
  setKeys(keys: readonly AdminKey[]): void;
  /** Connections that are open, by listener. */
  connections(): { publicConnections: number; bridgeConnections: number };
  /** Closes the sockets with 1001, finishes requests, closes store, outbox, bus and feed. */
  stop(): Promise<void>;
}

/** Puts the sidecar together and begins to listen on both listeners. */
export async function startSidecar(deps: SidecarDeps): Promise<Sidecar> {
  const { config, shared, webFiles = [] } = deps;
  const { clock, feedLog, rates, reach } = shared;
  const stores = { ...createStores(shared), ...deps.stores };
  const log = throttledLog(deps.log, clock);
  const audit = deps.audit ?? { write: async () => undefined };
  const { possibleConnections = Number.POSITIVE_INFINITY, patience = PATIENCE } = deps;
  const { messages, modules } = config;
  const tokens = deps.tokens ?? new Map(config.servers.map(({ name, token }) => [name, token]));
  const tokenOf = (name: string | undefined): string =>
    name === undefined ? deps.token : (tokens.get(name) ?? "");
  const { api, web } = modules;
  const logo = readLogo(web.enabled ? web.logo : "");
  if ("fault" in logo) throw new Error(logo.fault);
  const bridgeId = await shared.bridgeId();
  const { askGame, probe } = deps;
  const worlds = await createWorlds(config, shared, {
    ...{
      gameServerStore: stores.gameServer,
      records: shared.records.volatile,
      clock,
      log,
      reach,
      bridgeId,
      api,
      probe,
      askGame,
      audit,
    },
    seen: deps.seen ?? (() => ({ probe, askGame: undefined })),
    settingsFor: name => deps.settings?.(tokenOf(name)),
  });
  const { storage, stopTrying, ...useCases } = await createService({
    ...{ config, log, shared, stores, worlds, audit },
    token: deps.token,
    ownerLog: deps.log,
  });
  const { feed } = useCases;
  const metrics = createSidecarMetrics();
  const webhooks = await startWebhooks(config.webhooks, {
    feed: feedLog,
    duty: shared.duty,
    clock,
    logOf: () => throttledLog(deps.log, clock),
    random: Math.random,
    counted: metrics.webhookRequest,
    gauges: metrics.gauges,
  });
  const keys = createKeys(allKeys(api));
  const refusals = createRefusals({ clock, log, shared: shared.refused, counted: metrics.limitReached });
  const service = { ...useCases, log, metrics, patience, refusals };
  const signIn = config.signIn.enabled
    ? await openSignIn({ ...service, config, shared, store: stores.signIn, audit })
    : undefined;
  const pub = createPublicService({
    ...service,
    signIn,
    clock,
    storageFault: storage.fault,
    ownerLog: deps.log,
    possibleConnections,
    api,
    web,
    webFiles,
    logo: logo.value,
    worlds,
    keys,
    rates,
  });
  const greeting = { linkForm: api.linkForm, ...textsForGame(messages) };
  const bridge = createBridgeServer({
    ...service,
    clock,
    host: config.bridge.host,
    readiness: () => ({ ...readiness({ worlds, storageFault: storage.fault }), webhooks: webhooks.states() }),
    servers: worlds.all.map(world => ({
      name: world.name,
      token: tokenOf(world === worlds.first ? undefined : world.name),
      pack: world.session({ ...service, greeting }),
      status: world.status,
    })),
  });
  const publicDrain = drainable(pub, clock);
  const bridgeDrain = drainable(bridge, clock);
  shared.webChat.subscribe(event => pub.sockets.onBus(event));
  feed.onEvents(pub.sockets.onEvents);
  feed.onRepeated(pub.sockets.onEvents);
  metrics.gauge("websocket_clients", "Open chat sockets", () => pub.sockets.count());
  metrics.gauge("event_streams", "Open event streams", () => pub.streams.count());
  for (const { name, help, read, labels } of shared.gauges) metrics.gauge(name, help, read, labels);
  const { knownList } = useCases;
  if (knownList)
    metrics.gauge("known_players", "Players who have been here and may be listed, -1 when unknown", () =>
      knownList.total().catch(() => -1),
    );
  for (const name of Object.keys(FIGURES) as (keyof typeof FIGURES)[])
    metrics.gaugeOf(name, FIGURES[name], worlds.isOne ? [] : ["server"], () =>
      worlds.all.map(world => ({
        labels: worlds.isOne ? {} : { server: world.name },
        value: world.figures[name](),
      })),
    );

  if (possibleConnections < api.limits.connections)
    log.warn(
      { connections: possibleConnections },
      "the system lets this process open fewer connections than modules.api.limits.connections",
    );
  const publicAddress = await listen(pub.server, "modules.api", api);
  log.info({ listener: "public", url: url(publicAddress) }, `public listener at ${url(publicAddress)}`);
  const bridgeAddress = await listen(bridge.server, "bridge", config.bridge);
  shared.started();
  log.info({ listener: "bridge", url: url(bridgeAddress) }, `bridge listener at ${url(bridgeAddress)}`);

  return {
    publicAddress,
    bridgeAddress,
    setKeys: keys.set,
    connections: () => ({ publicConnections: pub.connections(), bridgeConnections: bridge.connections() }),
    async stop() {
      stopTrying();
      signIn?.stop();
      refusals.stop();
      const deadline = clock.monotonic() + STOP_MS;
      const closing = publicDrain.close(STOP_MS);
      const sending = webhooks.stop();
      await Promise.all(worlds.all.map(world => world.stop(GRACE_MS)));
      // The pack tells the outcomes until here.
      await bridgeDrain.close(LAST_FACTS_MS);
      // What the game has told until here has reached every socket and stream; what it goes on to tell it keeps.
      const left = deadline - clock.monotonic();
      await Promise.all([closing, pub.sockets.close(left), pub.streams.close(left)]);
      await useCases.known?.stop();
      await Promise.all(worlds.all.map(world => world.close()));
      feed.stop();
      await sending;
      await feedLog.close();
      await shared.close();
    },
  };
}

/** Loaded where sites can ask, and nowhere else. */
const openSignIn: typeof import("./features/sign-in/index.ts").openSignIn = async deps =>
  (await import("./features/sign-in/index.ts")).openSignIn(deps);

const url = ({ address, family, port }: AddressInfo): string =>
  `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
