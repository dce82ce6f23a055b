import { randomUUID } from "node:crypto";
import type { PlayerRef } from "../../../shared/actions.ts";
import type { FactOf, Outcome, PlayerRow } from "../../../shared/facts.ts";
import type { Game } from "../../kernel/bridge/actions.ts";
import type { Bus } from "../../kernel/bridge/ports.ts";
import { MAX_ROWS, type Snapshot } from "../../kernel/bridge/snapshot.ts";
import { perServer } from "../../kernel/feature.ts";
import { type Lease, StorageAway } from "../../kernel/storage/ports.ts";
import type { RetryQueue } from "../../kernel/storage/retry-queue.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { type Bucket, type Rate, takeToken } from "../../platform/rate.ts";
import type { KnownChange, KnownStore } from "./records.ts";
import {
  compact,
  countReport,
  endMissedVisit,
  endVisit,
  forgetPlayer,
  forgottenByPack,
  isPresent,
  type KnownRecord,
  pendingForget,
} from "./rules/known-players.ts";
import { hasFallen, isOtherVisit, reportOf } from "./rules/player-rows.ts";

/** Interval of storing reports of online players, in milliseconds. */
export const REPORT_MS = 10_000;
/** Interval of erasing old records, and pause between two batches, in milliseconds. */
const CLEANUP_MS = 60_000;
const CLEANUP_PAUSE_MS = 1_000;
/** Players per request to the pack to forget them; the others follow with the next report. */
const MAX_FORGETS = 100;

/** Rate of new players recorded for one of several game servers: each may push out one of another server. */
const NEW_PLAYERS: Rate = { perSecond: 0.1, burst: 2_000 };

/** Prefix of the ids of `forget` actions; the player's uuid follows. */
const FORGET = "forget:";

/** The part of a game server that known players use. */
export interface KnownServer {
  readonly name: string;
  /** name in the storage: blank for the first one */
  readonly storedName: string;
  readonly game: Pick<Game, "act">;
  readonly bus: Pick<Bus, "lastSnapshot">;
  uuidOf(player: PlayerRef): string;
}

/** Records all players of the game servers. */
export interface KnownPlayers {
  of(server: { name: string }): ServerKnownPlayers;
  /** Stops erasing, and stores the last reports. */
  stop(): Promise<void>;
}

/** Known players of one game server. Call it before the bus. Calls with a lease settle once the data is stored. */
export interface ServerKnownPlayers {
  /** Outcome of an action; a `forget` outcome comes before all rows that the pack reports after forgetting. */
  onOutcome(outcome: Outcome, lease: Lease): Promise<void>;
  joined(row: PlayerRow, lease: Lease): Promise<void>;
  /** A player has left; `row`: their last row. */
  left(row: PlayerRow, lease: Lease): Promise<void>;
  listed(report: PlayerList, lease: Lease): Promise<void>;
  /** A player has chosen to hide, perhaps just before leaving, so that no row contains it. */
  chose(fact: FactOf<"chose">, lease: Lease): Promise<void>;
  /** Erases a player, including this visit. Packs of other game servers do so when the player joins there. */
  forgot(fact: FactOf<"forgot">, lease: Lease): Promise<void>;
  /** Stores the last report. */
  flush(): Promise<void>;
}

type PlayerList = Pick<Snapshot, "at" | "rows">;

export function createKnownPlayers(deps: {
  clock: Clock;
  log: Pick<Log, "error" | "warn">;
  store: KnownStore;
  runOrRetry: RetryQueue["runOrRetry"];
  servers: { first: KnownServer; all: readonly KnownServer[] };
  /** maximum of players, and how long offline players and their visits are stored, in milliseconds */
  limits: { most: number; keepForMs: number; visitsForMs: number };
}): KnownPlayers {
  const { clock, log, store, runOrRetry, servers: gameServers, limits } = deps;
  const { most } = limits;
  const servers = gameServers.all.map(({ storedName }) => storedName);
  let isStopped = false;
  let hasBegun = false;

  // The next report contains the change again.
  async function save(changing: Promise<void>): Promise<void> {
    try {
      await changing;
    } catch (error) {
      if (error instanceof StorageAway) throw error;
      log.error({ error }, "Could not save player records");
    }
  }

  const change = (
    uuids: readonly string[],
    decide: (record: KnownRecord | undefined, uuid: string) => KnownChange | undefined,
    lease?: Lease,
  ): Promise<void> => store.change(uuids, (uuid, record) => decide(record, uuid), { most, lease });

  /** Ends visits on game servers that are no longer configured. */
  async function endUnknownVisits(): Promise<void> {
    const present = await store.present();
    const unknown = [...present].flatMap(([uuid, { servers: reportedBy }]) =>
      Object.entries(reportedBy).some(([name, { stay }]) => stay && !servers.includes(name)) ? [uuid] : [],
    );
    if (unknown.length > 0) await change(unknown, record => record && withoutUnknown(record, servers));
    hasBegun = true;
  }

  async function cleanUp(): Promise<void> {
    if (!hasBegun) await endUnknownVisits();
    const now = clock.now();
    const before = { unseenSince: now - limits.keepForMs, endedBefore: now - limits.visitsForMs };
    const isDone = await store.cleanUp(before);
    if (!isDone && !isStopped) clock.after(CLEANUP_PAUSE_MS, () => void cleanUpQuietly());
  }
  // Records that could not be erased are erased next time.
  const cleanUpQuietly = (): Promise<void> => cleanUp().catch(() => undefined);
  const stopCleanup = clock.every(CLEANUP_MS, () => void cleanUpQuietly());

  function reportsOf(gameServer: KnownServer): ServerKnownPlayers {
    const { name, game, bus, uuidOf } = gameServer;
    const server = gameServer.storedName;
    const forgetting = new Set<string>();
    const bucket: Bucket = { tokens: NEW_PLAYERS.burst, at: clock.monotonic() };
    /** players who joined since the last whole report; limited, so that a pack cannot add players without end */
    let joins = 0;
    /** whether the pack reports `since`: if so, a row without it is incomplete */
    let reportsVisits = false;
    /** the last report: rows by uuid, a key of the online players, and when a report was last handled as a whole */
    let last: { rows: ReadonlyMap<string, PlayerRow>; key: string; lookedAt: number } | undefined;

    /** Asks the pack to forget the figures of a player. If that fails, the next report repeats it. */
    function requestForget(
      uuid: string,
      { player }: PlayerRow,
      { counts }: { counts: boolean },
      lease?: Lease,
    ): void {
      if (forgetting.has(uuid) || forgetting.size >= MAX_FORGETS) return;
      forgetting.add(uuid);
      const id = `${FORGET}${uuid}:${randomUUID().slice(0, 8)}`;
      void game.act({ do: "forget", player, counts }, id, lease).then(() => forgetting.delete(uuid));
    }

    function isReadable({ since }: PlayerRow): boolean {
      reportsVisits ||= since !== undefined;
      return since !== undefined || !reportsVisits;
    }

    function mayBeKnown(record: KnownRecord | undefined): boolean {
      if (record || servers.length === 1 || takeToken(bucket, NEW_PLAYERS, clock.monotonic())) return true;
      log.warn({ server: name }, "A game server reports too many new players: some are not stored");
      return false;
    }

    /** Adds the last report, which may not be stored yet: otherwise a decreased figure would go unnoticed. */
    async function reportedBefore(): Promise<(record: KnownRecord, uuid: string) => KnownRecord> {
      const report = await bus.lastSnapshot();
      const rows = new Map(report?.rows.map(row => [uuidOf(row.player), row]));
      return (record, uuid) => {
        const [row, stay] = [rows.get(uuid), record.servers[server]?.stay];
        if (!report || !row || !stay || isOtherVisit(row, stay) || report.at <= stay.heard) return record;
        return countReport(record, reportOf(row, { server, at: report.at })).record;
      };
    }

    async function joined(row: PlayerRow, lease: Lease): Promise<void> {
      if (!isReadable(row) || joins >= MAX_ROWS) return;
      joins++;
      const before = await reportedBefore();
      const report = reportOf(row, { server, at: clock.now(), isJoin: true });
      let pendingAction: ReturnType<typeof pendingForget>;
      const uuid = uuidOf(row.player);
      await change(
        [uuid],
        record => {
          if (!mayBeKnown(record)) return undefined;
          const update = countReport(record && before(record, uuid), report);
          pendingAction = pendingForget(update.record, server);
          return update;
        },
        lease,
      );
      if (pendingAction && row.since !== undefined) requestForget(uuid, row, pendingAction, lease);
    }

    async function left(row: PlayerRow, lease: Lease): Promise<void> {
      const at = clock.now();
      const before = await reportedBefore();
      await change(
        [uuidOf(row.player)],
        (record, uuid) => {
          if (record?.servers[server]?.stay === undefined) return undefined;
          const update = countReport(before(record, uuid), reportOf(row, { server, at }));
          const after = endVisit(update.record, server, at);
          return { record: compact(after.record), ended: [...update.ended, ...after.ended] };
        },
        lease,
      );
    }

    /** Handles a report of all online players; `always`: even if one was stored recently. */
    async function listed({ at, rows }: PlayerList, lease: Lease | undefined, always = false): Promise<void> {
      const now = new Map(rows.map(row => [uuidOf(row.player), row]));
      const key = [...now].map(([uuid, row]) => `${uuid}${row.since}${row.hidden}`).join();
      const fell = ([uuid, row]: [string, PlayerRow]): boolean => hasFallen(row, last?.rows.get(uuid));
      const falls = new Map([...now].filter(fell));
      const isLookedAt = last?.key === key && at >= last.lookedAt && at - last.lookedAt < REPORT_MS;
      if (last && isLookedAt && falls.size === 0 && !always) {
        last = { ...last, rows: now };
        return;
      }
      const before = await reportedBefore();
      const present = await store.present();
      const here = [...present].filter(([, { servers }]) => servers[server]?.stay !== undefined);
      const reportTimes = here.map(([, { servers }]) => servers[server]?.stay?.heard ?? 0);
      const oldest = reportTimes.reduce((least, each) => Math.min(least, each), at);
      const isDue = always || at - oldest >= REPORT_MS || reportTimes.some(each => each > at);
      const isNews = (uuid: string, row: PlayerRow): boolean => {
        const { hidden = false, servers } = present.get(uuid) ?? { servers: undefined };
        const stay = servers?.[server]?.stay;
        if (stay === undefined) return isReadable(row);
        return isOtherVisit(row, stay) || hidden !== (row.hidden === true) || falls.has(uuid);
      };
      const uuids = [
        ...[...now].filter(([uuid, row]) => isDue || isNews(uuid, row)).map(([uuid]) => uuid),
        ...here.map(([uuid]) => uuid).filter(uuid => !now.has(uuid)),
      ];
      const pendingForgets = new Map<string, { counts: boolean }>();
      if (uuids.length > 0)
        await change(
          uuids,
          (record, uuid) => {
            const row = now.get(uuid);
            if (row === undefined) return record && absent(before(record, uuid));
            if (record?.servers[server]?.stay === undefined && !isReadable(row)) return undefined;
            if (!mayBeKnown(record)) return undefined;
            const update = countReport(record && before(record, uuid), reportOf(row, { server, at }));
            const pendingAction = pendingForget(update.record, server);
            pendingForgets.delete(uuid);
            if (pendingAction) pendingForgets.set(uuid, pendingAction);
            return update;
          },
          lease,
        );
      last = { rows: now, key, lookedAt: at };
      joins = 0;
      for (const [uuid, row] of now) {
        const pendingAction = pendingForgets.get(uuid);
        if (pendingAction && row.since !== undefined) requestForget(uuid, row, pendingAction, lease);
      }
    }

    /** Ends the visit of a player whose leave was not reported, at the last report. */
    function absent(record: KnownRecord): KnownChange | undefined {
      if (record.servers[server]?.stay === undefined) return undefined;
      const update = endMissedVisit(record, server);
      return { record: compact(update.record), ended: update.ended };
    }

    return {
      onOutcome({ id, status }, lease) {
        const uuid = status === "done" && id.startsWith(FORGET) ? id.split(":")[1] : undefined;
        if (uuid === undefined) return Promise.resolve();
        return save(change([uuid], record => record && { record: forgottenByPack(record, server) }, lease));
      },
      joined: (row, lease) => save(joined(row, lease)),
      left: (row, lease) => save(left(row, lease)),
      listed: (report, lease) => save(listed(report, lease)),
      chose({ player, hidden }, lease) {
        const hide = (record: KnownRecord | undefined): KnownChange | undefined =>
          record && { record: { ...record, hidden: true } };
        return hidden ? save(change([uuidOf(player)], hide, lease)) : Promise.resolve();
      },
      forgot({ player, since }, lease) {
        const uuid = uuidOf(player);
        const at = clock.now();
        // Without a persistent id, the player cannot be recognised on another game server.
        const others = player.persistentId === "" ? [server] : servers;
        const step = (lease?: Lease): Promise<void> =>
          change(
            [uuid],
            before => ({
              record: forgetPlayer(before, { servers: others, by: server, since, at }),
              forgets: true,
            }),
            lease,
          );
        return runOrRetry(`forget:${uuid}`, step, { last: true, lease });
      },
      async flush() {
        const report = await bus.lastSnapshot();
        if (report && last) await save(listed(report, undefined, true));
      },
    };
  }

  const of = perServer(gameServers.all, reportsOf);
  return {
    of,
    async stop() {
      isStopped = true;
      stopCleanup();
      // The storage logs it.
      await Promise.allSettled(gameServers.all.map(server => of(server).flush()));
    },
  };
}

function withoutUnknown(record: KnownRecord, servers: readonly string[]): KnownChange | undefined {
  if (!isPresent(record)) return undefined;
  const ended = [];
  let after = record;
  for (const name of Object.keys(record.servers).filter(each => !servers.includes(each))) {
    const update = endMissedVisit(after, name);
    after = update.record;
    ended.push(...update.ended);
  }
  return { record: compact(after), ended };
}
