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

/** How often reports of players online are stored, in milliseconds. */
export const REPORT_MS = 10_000;
/** How often old records are erased, and how long after a part of them the next, in milliseconds. */
const TIDY_MS = 60_000;
const TIDY_ON_MS = 1_000;
/** Players whom a pack is asked to forget at a time; the others follow with the next report. */
const MOST_AT_ONCE = 100;

/** New players of one of several game servers who are remembered: each may push out one of another's. */
const NEW_PLAYERS: Rate = { perSecond: 0.1, burst: 2_000 };

/** Prefix of the ids of `forget` actions; the player's uuid follows. */
const FORGET = "forget:";

/** A game server, as known players need it. */
export interface KnownServer {
  readonly name: string;
  /** names what is stored of it: blank for the first one */
  readonly storedName: string;
  readonly game: Pick<Game, "act">;
  readonly bus: Pick<Bus, "lastSnapshot">;
  uuidOf(player: PlayerRef): string;
}

/** Remembers everybody who has been on the game servers. */
export interface KnownPlayers {
  of(server: { name: string }): ServerKnownPlayers;
  /** Stops erasing, and stores what was reported last. */
  stop(): Promise<void>;
}

/** Players of one game server. To be called ahead of the bus. What it is given with a lease is stored once it settles. */
export interface ServerKnownPlayers {
  /** Outcome of an action, ahead of all rows that the pack reports after it has forgotten somebody. */
  onOutcome(outcome: Outcome, lease: Lease): Promise<void>;
  joined(row: PlayerRow, lease: Lease): Promise<void>;
  /** The player of this row, the last one, has left. */
  left(row: PlayerRow, lease: Lease): Promise<void>;
  listed(report: PlayerList, lease: Lease): Promise<void>;
  /** A player has chosen to hide, perhaps just before leaving: then no row says so. */
  chose(fact: FactOf<"chose">, lease: Lease): Promise<void>;
  /** Forgets a player, this visit included. Packs of other game servers forget them when the player joins there. */
  forgot(fact: FactOf<"forgot">, lease: Lease): Promise<void>;
  /** Stores what was reported last. */
  flush(): Promise<void>;
}

type PlayerList = Pick<Snapshot, "at" | "rows">;

export function createKnownPlayers(deps: {
  clock: Clock;
  log: Pick<Log, "error" | "warn">;
  store: KnownStore;
  runOrRetry: RetryQueue["runOrRetry"];
  servers: { first: KnownServer; all: readonly KnownServer[] };
  /** most players, and how long those who are offline and their visits are kept, in milliseconds */
  limits: { most: number; keepForMs: number; visitsForMs: number };
}): KnownPlayers {
  const { clock, log, store, runOrRetry, servers: gameServers, limits } = deps;
  const { most } = limits;
  const servers = gameServers.all.map(({ storedName }) => storedName);
  let isStopped = false;
  let hasBegun = false;

  // The next report brings the change again.
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

  /** Ends visits on game servers that are not configured any more. */
  async function endUnknownVisits(): Promise<void> {
    const present = await store.present();
    const unknown = [...present].flatMap(([uuid, { servers: told }]) =>
      Object.entries(told).some(([name, { stay }]) => stay && !servers.includes(name)) ? [uuid] : [],
    );
    if (unknown.length > 0) await change(unknown, record => record && withoutUnknown(record, servers));
    hasBegun = true;
  }

  async function tidy(): Promise<void> {
    if (!hasBegun) await endUnknownVisits();
    const now = clock.now();
    const before = { unseenSince: now - limits.keepForMs, endedBefore: now - limits.visitsForMs };
    const isDone = await store.tidy(before);
    if (!isDone && !isStopped) clock.after(TIDY_ON_MS, () => void tidyQuietly());
  }
  // What could not be erased is erased next time.
  const tidyQuietly = (): Promise<void> => tidy().catch(() => undefined);
  const stopTidying = clock.every(TIDY_MS, () => void tidyQuietly());

  function reportsOf(gameServer: KnownServer): ServerKnownPlayers {
    const { name, game, bus, uuidOf } = gameServer;
    const server = gameServer.storedName;
    const forgetting = new Set<string>();
    const bucket: Bucket = { tokens: NEW_PLAYERS.burst, at: clock.monotonic() };
    /** since the last whole report; as many as fit into one, so that a pack cannot add players without end */
    let joins = 0;
    /** whether the pack reports `since`: then a row without it is not complete yet */
    let reportsVisits = false;
    /** the last report here: rows by uuid, a key of who was online, and when a report was last handled as a whole */
    let last: { rows: ReadonlyMap<string, PlayerRow>; key: string; lookedAt: number } | undefined;

    /** Asks the pack to forget the figures of a player. If that fails, the next report leads here again. */
    function ask(uuid: string, { player }: PlayerRow, { counts }: { counts: boolean }, lease?: Lease): void {
      if (forgetting.has(uuid) || forgetting.size >= MOST_AT_ONCE) return;
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
      log.warn({ server: name }, "A game server reports too many new players: some are not remembered");
      return false;
    }

    /** Adds the last report, which may not be stored yet: only then a figure that has fallen since is noticed. */
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
      let told: ReturnType<typeof pendingForget>;
      const uuid = uuidOf(row.player);
      await change(
        [uuid],
        record => {
          if (!mayBeKnown(record)) return undefined;
          const known = countReport(record && before(record, uuid), report);
          told = pendingForget(known.record, server);
          return known;
        },
        lease,
      );
      if (told && row.since !== undefined) ask(uuid, row, told, lease);
    }

    async function left(row: PlayerRow, lease: Lease): Promise<void> {
      const at = clock.now();
      const before = await reportedBefore();
      await change(
        [uuidOf(row.player)],
        (record, uuid) => {
          if (record?.servers[server]?.stay === undefined) return undefined;
          const known = countReport(before(record, uuid), reportOf(row, { server, at }));
          const after = endVisit(known.record, server, at);
          return { record: compact(after.record), ended: [...known.ended, ...after.ended] };
        },
        lease,
      );
    }

    /** Handles a report of everybody online; `always`: even if one was stored lately. */
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
      const heard = here.map(([, { servers }]) => servers[server]?.stay?.heard ?? 0);
      const oldest = heard.reduce((least, each) => Math.min(least, each), at);
      const isDue = always || at - oldest >= REPORT_MS || heard.some(each => each > at);
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
      const untold = new Map<string, { counts: boolean }>();
      if (uuids.length > 0)
        await change(
          uuids,
          (record, uuid) => {
            const row = now.get(uuid);
            if (row === undefined) return record && absent(before(record, uuid));
            if (record?.servers[server]?.stay === undefined && !isReadable(row)) return undefined;
            if (!mayBeKnown(record)) return undefined;
            const known = countReport(record && before(record, uuid), reportOf(row, { server, at }));
            const told = pendingForget(known.record, server);
            untold.delete(uuid);
            if (told) untold.set(uuid, told);
            return known;
          },
          lease,
        );
      last = { rows: now, key, lookedAt: at };
      joins = 0;
      for (const [uuid, row] of now) {
        const told = untold.get(uuid);
        if (told && row.since !== undefined) ask(uuid, row, told, lease);
      }
    }

    /** No report said that the player left: the visit ended with the last one. */
    function absent(record: KnownRecord): KnownChange | undefined {
      if (record.servers[server]?.stay === undefined) return undefined;
      const known = endMissedVisit(record, server);
      return { record: compact(known.record), ended: known.ended };
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
        // Without it, the player cannot be recognised on another game server.
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
      stopTidying();
      // The storage logs that itself.
      await Promise.allSettled(gameServers.all.map(server => of(server).flush()));
    },
  };
}

function withoutUnknown(record: KnownRecord, servers: readonly string[]): KnownChange | undefined {
  if (!isPresent(record)) return undefined;
  const ended = [];
  let after = record;
  for (const name of Object.keys(record.servers).filter(each => !servers.includes(each))) {
    const known = endMissedVisit(after, name);
    after = known.record;
    ended.push(...known.ended);
  }
  return { record: compact(after), ended };
}
