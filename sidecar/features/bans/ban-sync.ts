import type { PlayerRef } from "../../../shared/actions.ts";
import { IN_GAME } from "../../../shared/authors.ts";
import type { BanChange } from "../../../shared/bans.ts";
import type { BansAnswer } from "../../../shared/frames.ts";
import { BANS_PER_FRAME, MAX_BANS } from "../../../shared/limits.ts";
import type { BansFrame } from "../../../shared/requests.ts";
import type { Game } from "../../kernel/bridge/actions.ts";
import type { Lease } from "../../kernel/storage/ports.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { type Bucket, type Rate, takeToken } from "../../platform/rate.ts";
import { cleanedReason } from "../../platform/web-text.ts";
import type { AuditGameChange } from "../moderation/audit.ts";
import type { Connections } from "../servers/last-connection.ts";
import type { Snapshots } from "../status/snapshots.ts";
import type { BanCache } from "./ban-cache.ts";
import type { PlayerLookup } from "./player-lookup.ts";
import * as rules from "./rules/ban-changes.ts";
import { type Ban, type BannedPlayer, draftOf } from "./rules/ban-list.ts";
import { bindEntries } from "./rules/banned-players.ts";

/** Rate of accepted changes of one game server. Each is a line of the audit: a server with too many would push out the others. */
const CHANGES: Rate = { perSecond: 0.1, burst: MAX_BANS };

/** Id of a list in which nothing was ever stored. */
const NO_LIST = "none";

/** A game server, as the sync of bans needs it. */
export interface SyncedServer {
  readonly name: string;
  /** prefix of its stored names: blank for the first one */
  readonly storedName: string;
  readonly game: Pick<Game, "act">;
  readonly connections: Pick<Connections, "knows">;
  readonly snapshots: Pick<Snapshots, "fresh">;
  readonly auditGameChange: AuditGameChange;
  uuidOf(player: PlayerRef): string;
}

/** Exchanges bans with the packs of the game servers. */
export function createBanSync(deps: {
  clock: Pick<Clock, "now" | "monotonic">;
  log: Pick<Log, "warn">;
  cache: BanCache;
  lookup: PlayerLookup;
  servers: { first: SyncedServer; all: readonly SyncedServer[] };
}) {
  const { clock, log, cache, lookup, servers } = deps;
  /** bans that one game server may have decided */
  const share = Math.floor(MAX_BANS / servers.all.length);
  /** game servers whose packs are being woken, and whether there are more changes since */
  const waking = new Map<string, boolean>();

  /** Asks a pack to fetch changes. If that fails, it fetches them after its next hello. */
  async function wakeOne(server: SyncedServer): Promise<void> {
    const { name, game, connections, snapshots } = server;
    const isWoken = waking.has(name);
    waking.set(name, isWoken);
    if (isWoken) return;
    if (snapshots.fresh() && (await connections.knows("bans"))) await game.act({ do: "bans" });
    const isMore = waking.get(name);
    waking.delete(name);
    if (isMore) await wakeOne(server);
  }

  /** Asks packs to fetch changes: that of the game server `on`, or all. */
  function wake(on: string | undefined, but?: SyncedServer): void {
    for (const server of servers.all)
      if (server !== but && (on === undefined || server.storedName === on)) void wakeOne(server);
  }

  /** Audits that a ban by name was bound to a player: a game server with a stolen token may have invented that player. */
  async function auditBinding({ auditGameChange }: SyncedServer, name: string): Promise<void> {
    if (servers.all.length > 1) await auditGameChange({ action: "ban.bind", name }, undefined, "bound");
  }

  function of(server: SyncedServer) {
    const on = server.storedName;
    const { auditGameChange } = server;
    const bucket: Bucket = { tokens: CHANGES.burst, at: clock.monotonic() };

    function read({ again: _again, everywhere, until, reason, ...change }: BanChange): Ban {
      const said = cleanedReason(reason ?? "");
      const how = {
        ...(until !== undefined && { until: rules.endOf(until) }),
        ...(said && { reason: said }),
      };
      const { name, persistentId, by = `${IN_GAME}Server` } = change;
      const uuid = persistentId === undefined ? undefined : server.uuidOf({ id: "", name, persistentId });
      return {
        ...change,
        ...(!change.lifted && how),
        by,
        ...(uuid !== undefined && { uuid }),
        ...(everywhere ? {} : { on }),
      };
    }

    /** The player of a new ban by name, if the service has seen exactly one of that name. */
    async function known({
      again,
      lifted,
      name,
      persistentId,
    }: BanChange): Promise<BannedPlayer | undefined> {
      if (again || lifted || persistentId !== undefined) return undefined;
      const [player, ...others] = await lookup.named(name);
      return others.length === 0 ? player : undefined;
    }

    async function auditBan(change: Ban): Promise<void> {
      const { by = "", name, lifted, reason } = change;
      const about = { name, ...(reason !== undefined && { reason }) };
      // It was changed in the game, though another author may be named.
      const player = by.startsWith(IN_GAME) ? by.slice(IN_GAME.length) : undefined;
      if (lifted) await auditGameChange({ action: "ban.remove", ...about }, player, "unbanned");
      else await auditGameChange({ action: "ban.add", ...about }, player, "banned");
    }

    async function takeUp(changes: readonly BanChange[], lease: Lease): Promise<void> {
      const players = await Promise.all(changes.map(known));
      takeToken(bucket, CHANGES, clock.monotonic(), 0);
      const { outcomes, isNews, left } = await cache.change(draft => {
        const now = clock.now();
        let left = bucket.tokens;
        const outcomes = changes.map((change, i) => {
          const { again: isAgain = false } = change;
          const mayBeTaken = left >= 1;
          const matching = isAgain ? rules.matchingNameBan(draft, read(change)) : undefined;
          const own = mayBeTaken ? draft : draftOf(draft);
          const outcome = rules.applyFromGame(
            own,
            { ...read(change), from: on },
            { now, isAgain, most: share },
          );
          if (isAgain ? outcome !== "kept" : outcome === "same") return outcome;
          if (!mayBeTaken) return "over";
          left--;
          const player = players[i];
          if (player && outcome === "kept") bindEntries(draft, player, { on, now });
          return matching ? { bound: matching.name } : outcome === "full" ? outcome : "new";
        });
        return { outcomes, isNews: draft.puts().some(put => put.on !== on), left };
      }, lease);
      bucket.tokens = left;
      if (isNews) wake(undefined, server);
      if (outcomes.includes("full"))
        log.warn({}, "A game server has more bans than the list can store: the newest apply only there");
      if (outcomes.includes("over"))
        log.warn({}, "A game server changes too many bans: the newest changes apply only there");
      for (const [i, change] of changes.entries()) {
        const outcome = outcomes[i];
        if (typeof outcome === "object") await auditBinding(server, outcome.bound);
        else if (outcome === "new" || (outcome === "full" && !change.again)) await auditBan(read(change));
      }
    }

    return async ({ list, after, changes }: BansFrame, lease: Lease): Promise<BansAnswer> => {
      if (changes.length > 0) await takeUp(changes, lease);
      else await cache.read();
      const head = cache.head() ?? { list: NO_LIST, upTo: 0 };
      // Another list, or an older one: the pack starts over and reports all that it has, which restores a lost storage.
      if (list !== head.list || after > head.upTo)
        return { list: head.list, upTo: 0, changes: [], more: true };
      const news: BanChange[] = [];
      let upTo = after;
      for (const { n, ban } of cache.list().after(after)) {
        if (news.length === BANS_PER_FRAME) return { list: head.list, upTo, changes: news, more: true };
        news.push(...rules.changesFor(ban, on));
        upTo = n;
      }
      return { list: head.list, upTo: head.upTo, changes: news, more: false };
    };
  }

  return { wake, auditBinding, of };
}
