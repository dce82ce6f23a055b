import type { PlayerRef } from "../../../shared/actions.ts";
import type { ListedServer } from "../../../shared/public/game.ts";
import type { FurtherServer } from "../../config/servers.ts";
import type { Config } from "../../config/settings.ts";
import { createFacts } from "../../kernel/bridge/facts.ts";
import { createGame } from "../../kernel/bridge/game.ts";
import { createPackSession } from "../../kernel/bridge/pack-session.ts";
import { createParts } from "../../kernel/bridge/parts.ts";
import { freshForMs } from "../../kernel/bridge/snapshot.ts";
import type { AskGame, ProcessProbe } from "../../kernel/storage/ports/game.ts";
import type { SharedWorld } from "../../kernel/storage/ports/shared.ts";
import type { Reach } from "../../kernel/storage/ports.ts";
import type { Records } from "../../kernel/storage/records.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Bans } from "../bans/bans.ts";
import { banFacts } from "../bans/facts.ts";
import { chatFacts } from "../chat/facts.ts";
import type { Relay } from "../chat/relay.ts";
import type { WebChat } from "../chat/web-chat.ts";
import type { Mark } from "../feed/rules.ts";
import { knownFacts } from "../known-players/facts.ts";
import type { KnownPlayers } from "../known-players/known-players.ts";
import { linkFacts } from "../linking/facts.ts";
import type { Links } from "../linking/links.ts";
import type { Audit } from "../moderation/audit.ts";
import { createGameNote, createNote } from "../moderation/audited.ts";
import { auditFacts } from "../moderation/facts.ts";
import { createKick } from "../moderation/kick.ts";
import { presenceFacts } from "../players/facts.ts";
import { playerUuid } from "../players/players.ts";
import { createPresence } from "../players/presence.ts";
import { createStatus } from "../status/bridge-status.ts";
import { roomFacts, snapshotFacts } from "../status/facts.ts";
import { createHistory } from "../status/history.ts";
import { createServerInfo } from "../status/server-info.ts";
import { createSnapshots } from "../status/snapshots.ts";
import { createWhitelist } from "../whitelist/whitelist.ts";
import type { Choices } from "./choices.ts";
import type { PlayersElsewhere } from "./elsewhere.ts";
import { choiceFacts, elsewhereFacts } from "./facts.ts";
import { createGameServers } from "./game-servers.ts";
import type { GameServerStore } from "./records.ts";

/** Figures of a game server for operators, and what each of them says. */
export const FIGURES = {
  outbox_actions: "Actions waiting for the game, -1 when unknown",
  game_connected: "1 when a game server has reported lately",
  game_tps: "Ticks per second of the last minute, -1 when unknown",
  game_players: "Players online, -1 when unknown",
} as const;

export type World = Awaited<ReturnType<typeof createWorld>>;

/** The game servers behind the service, the first one first, then as configured. */
export interface Worlds {
  readonly first: World;
  readonly all: readonly World[];
  /** by its name */
  of(name: string): World | undefined;
  /** Whether there is one alone: nothing that is told names it then. */
  readonly isOne: boolean;
}

/** What its pack is answered on behalf of. */
interface Service extends Pick<Parameters<typeof createPackSession>[0], "greeting" | "refusals"> {
  links: Links;
  webChat: WebChat;
  choices: Choices | undefined;
  known: KnownPlayers | undefined;
  bans: Bans;
  elsewhere: PlayersElsewhere;
  relay: Relay;
}

/**
 * One game server, and all that is known of it and asked of it: nothing of a world is reached but through this. Links, feed and
 * chat are of the service, and meet it in `session`.
 */
export async function createWorld(
  name: string,
  deps: {
    clock: Clock;
    log: Log;
    /** what is stored of it goes by this; of the first one it is blank */
    storedName: string;
    shared: SharedWorld;
    records: Records;
    gameServerStore(storedName: string): GameServerStore;
    reach: Reach;
    bridgeId: string;
    info: FurtherServer["info"];
    /** what is told of it with everything that happens there */
    mark: Mark;
    api: Pick<Config["modules"]["api"], "metricsRefreshInterval" | "whitelistNames">;
    probe: ProcessProbe;
    askGame: AskGame | undefined;
    audit: Audit;
    settings: Parameters<typeof createStatus>[0]["settings"];
    hadBy: Parameters<typeof createGameServers>[0]["hadBy"];
  },
) {
  const { clock, shared, reach, bridgeId, info, mark, api, probe, audit, settings, hadBy } = deps;
  const log = named(deps.log, mark);
  const { outbox, bus } = shared;
  const parts = createParts(deps.records, deps.storedName);
  const refreshMs = api.metricsRefreshInterval;
  const silentMs = freshForMs(refreshMs);
  const uuidOf = (player: PlayerRef): string => playerUuid(player, bridgeId);
  const game = createGame({ clock, outbox, bus, reach });
  const snapshots = await createSnapshots({ clock, bus, log, probe, refreshMs, bridgeId });
  const history = await createHistory({ clock, snapshots, store: shared.history, refreshMs });
  const presence = await createPresence({
    clock,
    log: shared.presence,
    bus,
    reach,
    bridgeId,
    mark,
    silentMs,
  });
  const gameServers = createGameServers({
    ...{ clock, log, hadBy },
    store: deps.gameServerStore(deps.storedName),
  });
  const note = createNote({ audit, clock, mark });
  const gameNote = createGameNote({ note, clock, log });
  const serverInfo = createServerInfo({ clock, written: info, askGame: deps.askGame });

  return {
    name,
    /** what its owner, or setup, says of it */
    info,
    /** what is told of it by `GET /server` */
    serverInfo,
    /** the same as `GET /servers` tells it */
    async listed(): Promise<ListedServer> {
      const { title, address, version, maxPlayers } = await serverInfo();
      const now = snapshots.fresh();
      const onlinePlayerCount = now?.status.onlinePlayerCount ?? null;
      return { name, title, state: now ? "online" : "away", onlinePlayerCount, maxPlayers, version, address };
    },
    mark,
    game,
    bus,
    snapshots,
    uuidOf,
    history,
    whitelist: createWhitelist({ game, note, clock, names: api.whitelistNames }),
    kicks: createKick({ clock, game, gameServers, note }),
    /** of changes that are asked of it */
    note,
    /** of changes that are made there */
    gameNote,
    gameServers,
    status: createStatus({ clock, mark, settings, gameServers, snapshots }),
    /** What its pack is answered; the rest is of the service. */
    session(service: Service) {
      const own = {
        ...service,
        links: service.links.of(name),
        known: service.known?.of(name),
        bans: service.bans.of(name),
        elsewhere: service.elsewhere.of(name),
      };
      const { bans, elsewhere, known, links, webChat, relay, choices } = own;
      const isOneOfSeveral = mark.server !== undefined;
      const facts = createFacts({
        ...{ clock, bus, parts, game, server: mark.server },
        features: [
          elsewhereFacts(elsewhere),
          roomFacts(bus),
          banFacts(bans),
          ...(choices ? [choiceFacts(choices, { name, game, bus })] : []),
          ...(known ? [knownFacts(known, { bus, elsewhere })] : []),
          snapshotFacts(bus),
          presenceFacts(presence),
          linkFacts(links),
          chatFacts({
            ...{ clock, bus, game, name, mark, feed: shared.presence, presence },
            ...{ bans, elsewhere, webChat, relay, isOneOfSeveral },
          }),
          ...(isOneOfSeveral ? [auditFacts(gameNote)] : []),
        ],
      });
      const server = mark.server && (info.title ? `${info.title} (${name})` : name);
      return createPackSession({ ...own, clock, log, outbox, gameServers, refreshMs, facts, server });
    },
    /** Figures of it for operators, by the names of `FIGURES`. */
    figures: {
      outbox_actions: () => outbox.size().catch(() => -1),
      game_connected: () => (snapshots.fresh() ? 1 : 0),
      game_tps: () => snapshots.fresh()?.status.tps ?? -1,
      game_players: () => snapshots.fresh()?.everybody.length ?? -1,
    } satisfies Record<keyof typeof FIGURES, () => number | Promise<number>>,
    /**
     * Asks the game for nothing more, which has `graceMs` milliseconds for what it was asked; it goes on telling what comes of
     * it.
     */
    async stop(graceMs: number): Promise<void> {
      snapshots.stop();
      history.stop();
      await game.stop(graceMs);
      await outbox.close();
    },
    /** To be called when nothing more is told. */
    async close(): Promise<void> {
      await bus.close();
      presence.stop();
    },
  };
}

/** A log whose lines name a game server, where there are several. */
function named(log: Log, mark: Mark): Log {
  if (mark.server === undefined) return log;
  const of =
    (level: keyof Log): Log["info"] =>
    (fields, message) =>
      log[level]({ ...mark, ...fields }, message);
  return { debug: of("debug"), info: of("info"), warn: of("warn"), error: of("error") };
}
