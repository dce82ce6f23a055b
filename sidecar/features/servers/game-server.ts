import type { PlayerRef } from "../../../shared/actions.ts";
import type { ListedServer, ServerInfo } from "../../../shared/public/game-server.ts";
import type { BridgeStatus } from "../../../shared/status.ts";
import type { FurtherServer } from "../../config/servers.ts";
import type { Config } from "../../config/settings.ts";
import { createGame, type Game } from "../../kernel/bridge/actions.ts";
import { createParts } from "../../kernel/bridge/parts.ts";
import type { AskGame, Bus, Outbox, Parts, ProcessProbe } from "../../kernel/bridge/ports.ts";
import type { Feature } from "../../kernel/feature.ts";
import type { SharedServer, SharedState } from "../../kernel/shared.ts";
import type { Reach } from "../../kernel/storage/ports.ts";
import type { Records } from "../../kernel/storage/records.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { FeedLog, ServerFeed } from "../feed/feed-log.ts";
import type { ServerTag } from "../feed/rules/window.ts";
import {
  type Audit,
  type AuditChange,
  type AuditGameChange,
  createAuditChange,
  createAuditGameChange,
} from "../moderation/audit.ts";
import { playerUuid } from "../players/player-data.ts";
import { createPresenceTracker, type PresenceTracker } from "../players/presence.ts";
import { createStatus } from "../status/bridge-status.ts";
import { createHistory, type History } from "../status/history.ts";
import type { HistoryStore } from "../status/records.ts";
import { freshForMs } from "../status/rules/freshness.ts";
import { createServerInfo } from "../status/server-info.ts";
import { createSnapshots, type Snapshots } from "../status/snapshots.ts";
import { type Connections, createConnections } from "./last-connection.ts";
import type { ConnectionStore } from "./records.ts";

/** A game server behind the service, with everything about it. */
export interface GameServer {
  readonly name: string;
  /** name in the storage: blank for the first one */
  readonly storedName: string;
  /** title, address and player limit, as configured */
  readonly info: FurtherServer["info"];
  readonly tag: ServerTag;
  /** The public uuid of a player of this server. */
  uuidOf(player: PlayerRef): string;
  readonly log: Log;
  readonly outbox: Outbox;
  readonly game: Game;
  readonly bus: Bus;
  readonly parts: Parts;
  readonly feed: ServerFeed;
  readonly presence: PresenceTracker;
  readonly snapshots: Snapshots;
  readonly history: History;
  readonly connections: Connections;
  /** audits changes requested from it */
  readonly auditChange: AuditChange;
  /** audits changes made in the game */
  readonly auditGameChange: AuditGameChange;
  /** The answer to `GET /server`. */
  serverInfo(): Promise<ServerInfo>;
  /** Its entry in `GET /servers`. */
  listing(): Promise<ListedServer>;
  /** The answer to `GET /bridge/status`. */
  status(): Promise<BridgeStatus>;
  /** Begins no more actions; pending ones get `graceMs` milliseconds. Outcomes still arrive. */
  stop(graceMs: number): Promise<void>;
  /** To be called when the game reports nothing more. */
  close(): Promise<void>;
}

export type ServiceFeature = Feature<GameServer>;

/** The game servers behind the service: the first one, then the others as configured. */
export interface GameServers {
  readonly first: GameServer;
  readonly all: readonly GameServer[];
  /** the game server with a name */
  of(name: string): GameServer | undefined;
  /** Whether there is only one: events and answers then do not name it. */
  readonly isOne: boolean;
}

interface GameServerDeps {
  clock: Clock;
  log: Log;
  /** name in the storage: blank for the first one */
  storedName: string;
  shared: SharedServer;
  records: Records;
  stores: {
    connection(storedName: string): ConnectionStore;
    history(storedName: string): HistoryStore;
    feedLog: Pick<FeedLog, "serverFeed">;
  };
  reach: Reach;
  bridgeId: string;
  info: FurtherServer["info"];
  tag: ServerTag;
  api: Pick<Config["modules"]["api"], "metricsRefreshInterval">;
  probes: ServerProbes;
  audit: Audit;
  settings: BridgeStatus["settings"];
  /** name of the other game server that last had the world with this id */
  lastServerOf(world: string): Promise<string | undefined>;
}

async function createGameServer(name: string, deps: GameServerDeps): Promise<GameServer> {
  const { clock, storedName, shared, stores, reach, bridgeId, info, tag, api } = deps;
  const { probes, audit, settings, lastServerOf } = deps;
  const log = named(deps.log, tag);
  const { outbox, bus } = shared;
  const parts = createParts(deps.records, storedName);
  const refreshMs = api.metricsRefreshInterval;
  const silentMs = freshForMs(refreshMs);
  const game = createGame({ clock, outbox, bus, reach });
  const snapshots = await createSnapshots({ clock, bus, log, probe: probes.probe, refreshMs, bridgeId });
  const store = stores.history(storedName);
  const history = await createHistory({ clock, snapshots, store, refreshMs });
  const feed = stores.feedLog.serverFeed(storedName);
  const presence = await createPresenceTracker({
    clock,
    log: feed,
    bus,
    reach,
    bridgeId,
    tag,
    silentMs,
  });
  const connections = createConnections({
    clock,
    log,
    lastServerOf,
    store: stores.connection(storedName),
  });
  // Pages are answered without waiting for the storage.
  await connections.last();
  const auditChange = createAuditChange({ audit, clock, tag });
  const auditGameChange = createAuditGameChange({ auditChange, clock, log });
  const serverInfo = createServerInfo({ clock, configured: info, askGame: probes.askGame });

  return {
    name,
    storedName,
    info,
    tag,
    log,
    outbox,
    game,
    bus,
    parts,
    presence,
    snapshots,
    history,
    connections,
    auditChange,
    auditGameChange,
    serverInfo,
    feed,
    uuidOf: player => playerUuid(player, bridgeId),
    status: createStatus({ clock, tag, settings, connections, snapshots }),
    async listing() {
      const { title, address, version, maxPlayers } = await serverInfo();
      const current = snapshots.fresh();
      const onlinePlayerCount = current?.status.onlinePlayerCount ?? null;
      return {
        name,
        title,
        state: current ? "online" : "away",
        onlinePlayerCount,
        maxPlayers,
        version,
        address,
      };
    },
    async stop(graceMs) {
      snapshots.stop();
      history.stop();
      await game.stop(graceMs);
      await outbox.close();
    },
    async close() {
      await bus.close();
      presence.stop();
    },
  };
}

/** A log whose lines name the game server, if there are several. */
function named(log: Log, tag: ServerTag): Log {
  if (tag.server === undefined) return log;
  const of =
    (level: keyof Log): Log["info"] =>
    (fields, message) =>
      log[level]({ ...tag, ...fields }, message);
  return { debug: of("debug"), info: of("info"), warn: of("warn"), error: of("error") };
}

/** Probes of a game server that work without its pack. */
interface ServerProbes {
  probe: ProcessProbe;
  /** undefined: it is not on this machine */
  askGame: AskGame | undefined;
}

/** Creates the probes of a game server; `name`: undefined for the first one. */
export type CreateServerProbes = (
  server: Pick<FurtherServer, "process" | "info">,
  name?: string,
) => ServerProbes;

/** Creates every game server of the configuration. */
export async function createGameServers(
  { server, servers }: Pick<Config, "server" | "servers">,
  shared: Pick<SharedState, "server" | "servers">,
  deps: Omit<
    GameServerDeps,
    "storedName" | "shared" | "info" | "tag" | "probes" | "settings" | "lastServerOf"
  > & {
    createProbes: CreateServerProbes;
    /** the settings shown with the token of a game server; undefined: the first one */
    settingsFor(name: string | undefined): GameServerDeps["settings"];
  },
): Promise<GameServers> {
  const isOne = servers.length === 0;
  const tagOf = (name: string): GameServerDeps["tag"] => (isOne ? {} : { server: name });
  const { settingsFor, createProbes } = deps;
  const named = [
    { name: server.name, storedName: "" },
    ...servers.map(({ name }) => ({ name, storedName: name })),
  ];
  /** For a game server: finds the other one that last had a world. */
  const lastServerAmongOthers =
    (own: string): GameServerDeps["lastServerOf"] =>
    async world => {
      for (const { name, storedName } of named) {
        if (name === own) continue;
        const last = await deps.stores.connection(storedName).last();
        if (last?.world?.id === world) return name;
      }
      return undefined;
    };
  const first = await createGameServer(server.name, {
    ...deps,
    storedName: "",
    shared: shared.server,
    probes: createProbes(server),
    info: server.info,
    tag: tagOf(server.name),
    settings: settingsFor(undefined),
    lastServerOf: lastServerAmongOthers(server.name),
  });
  const others = await Promise.all(
    servers.map(each => {
      const { name, info } = each;
      return createGameServer(name, {
        ...deps,
        probes: createProbes(each, name),
        tag: tagOf(name),
        settings: settingsFor(name),
        storedName: name,
        shared: sharedOfFurther(shared, name),
        lastServerOf: lastServerAmongOthers(name),
        // Without persistent ids, players of different game servers may have the same id.
        bridgeId: `${deps.bridgeId}:${name}`,
        info: { ...info, title: each.title || info.title },
      });
    }),
  );
  const all = [first, ...others];
  const byName = new Map(all.map(server => [server.name, server]));
  return { first, all, of: name => byName.get(name), isOne };
}

function sharedOfFurther({ servers }: Pick<SharedState, "servers">, name: string): SharedServer {
  const server = servers.get(name);
  if (server === undefined) throw new Error(`nothing is stored of a game server ${name}`);
  return server;
}
