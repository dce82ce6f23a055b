import type { AddressInfo } from "node:net";
import type { BridgeStatus } from "../shared/status.ts";
import { compose } from "./compose.ts";
import { type AdminKey, allKeys, type ModeratorEntry } from "./config/admin-keys.ts";
import type { Config } from "./config/settings.ts";
import { readLogo } from "./features/console/logo.ts";
import type { WebFile } from "./features/console/web-files.ts";
import type { Audit, AuditReader } from "./features/moderation/audit.ts";
import type { CreateServerProbes, GameServer } from "./features/servers/game-server.ts";
import { readiness } from "./features/status/readiness.ts";
import { startWebhooks } from "./features/webhooks/webhooks.ts";
import { createBridgeServer } from "./kernel/bridge/listener.ts";
import type { ServedFeature } from "./kernel/feature.ts";
import { createKeys } from "./kernel/http/keys.ts";
import { listen } from "./kernel/http/listen.ts";
import { createDrain } from "./kernel/http/overload/drain.ts";
import { CLIENT_TIMEOUTS, type ClientTimeouts } from "./kernel/http/overload/server.ts";
import { prepareListener } from "./kernel/http/public.ts";
import { createRefusals } from "./kernel/http/refusals.ts";
import type { SharedState } from "./kernel/shared.ts";
import type { Log } from "./platform/log.ts";
import { createSidecarMetrics } from "./platform/metrics.ts";
import { throttledLog } from "./platform/throttled-log.ts";
import type { Stores } from "./stores.ts";

/** Time limits of a stop: for open actions, then for their outcomes, and in total, in milliseconds. */
const GRACE_MS = 2_000;
const LAST_FACTS_MS = 500;
const STOP_MS = 3_500;

/** Labels of the figures of webhooks. */
const HOOK_LABELS = ["hook", "origin", "reason", "from"];

interface SidecarDeps {
  config: Config;
  /** token of the first game server */
  token: string;
  /** tokens of the others by their names; as configured by default */
  tokens?: ReadonlyMap<string, string>;
  /** path and digests of the configuration, for holders of this token */
  settings?(token: string): BridgeStatus["settings"];
  log: Log;
  shared: SharedState;
  stores: Stores;
  createProbes: CreateServerProbes;
  /** default: not written */
  audit?: Audit;
  /** reads the entries of `audit`; default: none */
  auditReader?: AuditReader;
  /** files of the web console, empty when it was not built */
  webFiles?: readonly WebFile[];
  /** connections that the system allows, if known */
  possibleConnections?: number | undefined;
  timeouts?: ClientTimeouts;
}

export interface Sidecar {
  publicAddress: AddressInfo;
  bridgeAddress: AddressInfo;
  /** Replaces the keys of administrators. */
  setKeys(keys: readonly AdminKey[]): void;
  /** Replaces the players who may moderate without a key. */
  setModerators(entries: readonly ModeratorEntry[]): void;
  /** Connections that are open, by listener. */
  connections(): { publicConnections: number; bridgeConnections: number };
  /** Closes the sockets with 1001, finishes requests, closes store, outbox, bus and feed. */
  stop(): Promise<void>;
}

/** Starts the service and both listeners. */
export async function startSidecar(deps: SidecarDeps): Promise<Sidecar> {
  const { config, shared, stores, webFiles = [] } = deps;
  const { clock, rates } = shared;
  const log = throttledLog(deps.log, clock);
  const { possibleConnections = Number.POSITIVE_INFINITY, timeouts = CLIENT_TIMEOUTS } = deps;
  const { api, web } = config.modules;
  const tokens = deps.tokens ?? new Map(config.servers.map(({ name, token }) => [name, token]));
  const tokenOf = (name: string | undefined): string =>
    name === undefined ? deps.token : (tokens.get(name) ?? "");
  const logo = readLogo(web.enabled ? web.logo : "");
  if ("fault" in logo) throw new Error(logo.fault);

  const service = await compose({
    config,
    log,
    shared,
    stores,
    webFiles,
    logo: logo.value,
    token: deps.token,
    ownerLog: deps.log,
    audit: deps.audit ?? { write: async () => undefined },
    auditReader: deps.auditReader ?? { newest: async () => [] },
    createProbes: deps.createProbes,
    settingsFor: name => deps.settings?.(tokenOf(name)),
  });
  const { features, storage, servers } = service;
  const metrics = createSidecarMetrics();
  const webhooks = await startWebhooks(config.webhooks, {
    feed: stores.feedLog,
    store: stores.hooks,
    leadership: shared.leadership,
    clock,
    logOf: () => throttledLog(deps.log, clock),
    random: Math.random,
    counted: metrics.webhookRequest,
    gauges: (name, help, read) => metrics.gauge({ name, help, labelNames: HOOK_LABELS, read }),
  });

  const keys = createKeys(allKeys(api));
  const refusals = createRefusals({ clock, log, shared: shared.refused, counted: metrics.limitReached });
  const { tools, open } = prepareListener({
    api,
    clock,
    log,
    ownerLog: deps.log,
    keys,
    moderators: service.moderators,
    metrics,
    timeouts,
    possibleConnections,
    rates,
    refusals,
  });
  const served = features.map(feature => feature.serve?.(tools) ?? {});
  const pub = open({
    routes: served.flatMap(({ routes = [] }) => routes),
    servers: servers,
    others: Object.assign({}, ...served.map(({ others }) => others)),
    othersForAll: served.flatMap(({ othersForAll = [] }) => othersForAll),
    answerAtOnce: only(served, "answerAtOnce"),
    onUpgrade: only(served, "onUpgrade"),
  });
  const bridge = createBridgeServer({
    clock,
    log,
    metrics,
    timeouts,
    host: config.bridge.host,
    readiness: () => ({
      ...readiness({ servers, storageFault: storage.fault }),
      webhooks: webhooks.states(),
    }),
    servers: servers.all.map(server => ({
      name: server.name,
      token: tokenOf(server === servers.first ? undefined : server.name),
      pack: service.packSession(server, refusals),
      status: server.status,
    })),
  });
  const publicDrain = createDrain(pub, clock);
  const bridgeDrain = createDrain(bridge, clock);
  for (const { gauges = [] } of [...served, ...features]) for (const gauge of gauges) metrics.gauge(gauge);
  for (const { name, help, read, labels = {} } of shared.gauges)
    metrics.gauge({ name, help, labelNames: Object.keys(labels), read: () => ({ labels, value: read() }) });

  if (possibleConnections < api.limits.connections)
    log.warn(
      { connections: possibleConnections },
      "The system lets this process open fewer connections than modules.api.limits.connections",
    );
  // Operators' scripts wait for these two lines, so their text does not change.
  const publicAddress = await listen(pub.server, "modules.api", api);
  log.info({ listener: "public", url: url(publicAddress) }, `public listener at ${url(publicAddress)}`);
  const bridgeAddress = await listen(bridge.server, "bridge", config.bridge);
  shared.started();
  log.info({ listener: "bridge", url: url(bridgeAddress) }, `bridge listener at ${url(bridgeAddress)}`);

  return {
    publicAddress,
    bridgeAddress,
    setKeys: keys.set,
    setModerators: service.moderators.set,
    connections: () => ({ publicConnections: pub.connections(), bridgeConnections: bridge.connections() }),
    async stop() {
      service.stop();
      refusals.stop();
      const deadline = clock.monotonic() + STOP_MS;
      const closing = publicDrain.close(STOP_MS);
      const sending = webhooks.stop();
      await inOrder(
        () => Promise.all(servers.all.map(server => server.stop(GRACE_MS))),
        // The pack reports the outcomes until here.
        () => bridgeDrain.close(LAST_FACTS_MS),
        // All reports so far have reached every socket and stream; the pack resends later ones.
        () => Promise.all([closing, ...served.map(each => each.close?.(deadline - clock.monotonic()))]),
        () => Promise.all(features.map(feature => feature.close?.())),
        () => Promise.all(servers.all.map(server => server.close())),
        () => sending,
        () => stores.feedLog.close(),
        () => shared.close(),
      );
    },
  };
}

/** Runs each step after the previous one has ended, even if that failed; rejects with the first error. */
async function inOrder(...steps: (() => Promise<unknown>)[]): Promise<void> {
  const faults: unknown[] = [];
  for (const step of steps)
    try {
      await step();
    } catch (error) {
      faults.push(error);
    }
  if (faults.length > 0) throw faults[0];
}

/** The method of the only feature that has it. */
function only<K extends "answerAtOnce" | "onUpgrade">(
  served: readonly ServedFeature<GameServer>[],
  what: K,
): NonNullable<ServedFeature<GameServer>[K]> {
  const [found, another] = served.flatMap(feature => feature[what] ?? []);
  if (found === undefined || another !== undefined) throw new Error(`${what} is not of one feature`);
  return found;
}

const url = ({ address, family, port }: AddressInfo): string =>
  `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
