import type { PlayerRef } from "../../../shared/actions.ts";
import type { BansAnswer } from "../../../shared/frames.ts";
import { AUTHOR_LENGTH, NAME_LENGTH } from "../../../shared/limits.ts";
import { normalizeName } from "../../../shared/names.ts";
import type { Ban as ListedBan } from "../../../shared/public/moderation.ts";
import type { BansFrame } from "../../../shared/requests.ts";
import { perServer } from "../../kernel/feature.ts";
import type { Lease } from "../../kernel/storage/ports.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { KnownStore } from "../known-players/records.ts";
import type { LinkStore } from "../linking/records.ts";
import type { LinkedPlayer } from "../linking/rules/links.ts";
import type { Audit } from "../moderation/audit.ts";
import { type AuditChange, type Author, createAuditChange } from "../moderation/audit.ts";
import { isWhitelistName } from "../whitelist/rules.ts";
import { createBanCache } from "./ban-cache.ts";
import { createBanSync, type SyncedServer } from "./ban-sync.ts";
import { createPlayerLookup, type LookupServer } from "./player-lookup.ts";
import type { BanStore } from "./records.ts";
import * as rules from "./rules/ban-changes.ts";
import { type BannedPlayer, type Draft, draftOf, type Ban as StoredBan } from "./rules/ban-list.ts";
import * as banned from "./rules/banned-players.ts";

/** The part of a game server that bans need. */
type BanServer = LookupServer &
  SyncedServer & { /** of changes of this one, into the audit */ readonly auditChange: AuditChange };

/** Whom to ban, why, and for how many milliseconds; without that, permanently. */
export interface BanRequest {
  who: rules.BanTarget;
  reason?: string | undefined;
  forMs?: number | undefined;
}

type BanFailure = { outcome: "ambiguous_name" | "invalid_name" | "too_many_bans" };
type BanOutcome = BanFailure | { outcome: "banned"; ban: ListedBan };
type UnbanOutcome = { outcome: "unbanned" | "not_banned" };

/** Bans of all game servers. All of it rejects as the storage does. */
export interface Bans {
  /** Reads the ban list again. Rejects only while the storage cannot be reached. */
  fresh(): Promise<void>;
  /** Whether the player of a link is banned on this game server, or without one on all of them, by the list as last read. */
  isBanned(player: LinkedPlayer, server?: string): boolean;
  /** Active bans on a game server, or on any, sorted by the names' code units. */
  list(server?: string): Promise<ListedBan[]>;
  /** Bans a player on a game server, or on all, and replaces an earlier ban there. It is in the audit once the promise settles. */
  add(ban: BanRequest, author: Author, server?: string): Promise<BanOutcome>;
  /** Lifts the bans of a player on a game server, or on all. It is in the audit once the promise settles. */
  remove(who: rules.BanTarget, author: Author, server?: string): Promise<UnbanOutcome>;
  of(server: { name: string }): ServerBans;
}

/** Bans on one game server. */
export interface ServerBans {
  /** As in `Bans`. */
  fresh(): Promise<void>;
  /** Applies the changes that a pack reports, and returns those it lacks once its own are saved and audited. */
  answer(frame: BansFrame, lease: Lease): Promise<BansAnswer>;
  /** Whether an online player is banned, by the cached list. */
  isBanned(player: PlayerRef): boolean;
  /** Whether anybody of this name is banned, for a speaker of whom only the name is known. */
  isNameBanned(name: string): boolean;
  /** Binds bans by name to these players, who are online. */
  bindPlayers(players: readonly PlayerRef[], lease: Lease): Promise<void>;
}

export interface BansDeps {
  clock: Pick<Clock, "now" | "monotonic" | "after">;
  log: Pick<Log, "warn" | "error">;
  store: BanStore;
  /** undefined: there is no list of known players */
  known: KnownStore | undefined;
  links: LinkStore;
  servers: { first: BanServer; all: readonly BanServer[] };
  audit: Audit;
}

/** The author in a form that packs accept: the name of a moderator may be two characters too long. */
const decidedBy = ({ key }: Author): string => key.slice(0, AUTHOR_LENGTH);

/** Whether no player can have the name: it is not looked up, and not audited. */
const isTooLong = (who: rules.BanTarget): boolean => "name" in who && who.name.length > NAME_LENGTH;

export function createBans(deps: BansDeps): Bans {
  const { clock, servers, audit } = deps;
  const cache = createBanCache(deps);
  const lookup = createPlayerLookup(deps);
  const sync = createBanSync({ ...deps, cache, lookup });
  const auditForAll = createAuditChange({ audit, clock, tag: {} });
  const auditFor = (server: string | undefined): AuditChange =>
    servers.all.find(({ name }) => name === server)?.auditChange ?? auditForAll;
  const storedNameOf = perServer(servers.all, ({ storedName }) => storedName);
  /** The name by which entries of this game server are stored; undefined: of all. */
  const storedServer = (server: string | undefined): string | undefined =>
    server === undefined ? undefined : storedNameOf({ name: server });
  const publicServer = (on: string): string => (on === "" ? servers.first.name : on);
  const isBanned = (player: BannedPlayer, server: BanServer): boolean =>
    banned.isBanned(cache.list(), player, { on: server.storedName, now: clock.now() });

  const listed = (ban: StoredBan): ListedBan => {
    const { name, uuid = null, on, reason = null, by = null, at, until = null } = ban;
    const servers = on === undefined ? null : [publicServer(on)];
    return { name, uuid, known: rules.isKnownPlayer(ban), servers, reason, by, at, until };
  };

  /** The player to ban, if the service has seen them, or why there is none. */
  async function resolveTarget(who: rules.BanTarget): Promise<{ name: string } | BannedPlayer | BanFailure> {
    await cache.read();
    const list = cache.list();
    if ("uuid" in who) return banned.withStoredId(list, await lookup.of(who.uuid));
    const seen = await lookup.named(who.name);
    const [player, ...others] = seen.length > 0 ? seen : banned.bannedUnder(list, who.name, clock.now());
    if (others.length > 0) return { outcome: "ambiguous_name" };
    if (player !== undefined) return banned.withStoredId(list, player);
    const name = normalizeName(who.name);
    return isWhitelistName(name, "gamertag") ? { name } : { outcome: "invalid_name" };
  }

  return {
    fresh: cache.fresh,
    isBanned: (player, server) =>
      servers.all.every(
        gameServer => (server ?? gameServer.name) !== gameServer.name || isBanned(player, gameServer),
      ),
    async list(server) {
      await cache.read();
      return rules.activeBans(cache.list(), { now: clock.now(), on: storedServer(server) }).map(listed);
    },
    async add({ who, reason, forMs }, author, server) {
      if (isTooLong(who)) return { outcome: "invalid_name" };
      const player = await resolveTarget(who);
      const on = storedServer(server);
      const change = { action: "ban.add", ...(reason !== undefined && { reason }) } as const;
      const auditChange = auditFor(server);
      if ("outcome" in player)
        return player.outcome === "invalid_name"
          ? player
          : auditChange({ ...change, name: "name" in who ? who.name : who.uuid }, author, player);
      const entry = await cache.change(draft => {
        const now = clock.now();
        const decision = {
          by: decidedBy(author),
          ...(reason !== undefined && { reason }),
          ...(forMs !== undefined && { until: rules.endOf(now + forMs) }),
        };
        return rules.add(draft, player, { on, now, decision });
      });
      if (entry) sync.wake(on);
      const name = player.name || ("uuid" in who ? who.uuid : who.name);
      const outcome: BanOutcome = entry
        ? { outcome: "banned", ban: listed(entry) }
        : { outcome: "too_many_bans" };
      return auditChange({ ...change, name }, author, outcome);
    },
    async remove(who, author, server) {
      if (isTooLong(who)) return { outcome: "not_banned" };
      const on = storedServer(server);
      // The player may have been banned under another name.
      const seen = "name" in who ? await lookup.named(who.name) : [];
      const lifted = await cache.change(draft => {
        const now = clock.now();
        const listedOf = (each: rules.BanTarget) => rules.entriesOf(draft, each, { now, on });
        const own = listedOf(who);
        const listed = own.length > 0 ? own : seen.flatMap(({ uuid }) => listedOf({ uuid }));
        rules.remove(draft, listed, { now, by: decidedBy(author) });
        return listed;
      });
      for (const each of lifted) sync.wake(each.on);
      const name = lifted[0]?.name || ("name" in who ? who.name : who.uuid);
      const outcome = lifted.length > 0 ? "unbanned" : "not_banned";
      return auditFor(server)({ action: "ban.remove", name }, author, { outcome });
    },
    of: perServer(servers.all, server => {
      const on = server.storedName;
      const of = (player: PlayerRef): BannedPlayer => ({ ...player, uuid: server.uuidOf(player) });
      return {
        fresh: cache.fresh,
        answer: sync.of(server),
        isBanned: player => cache.list().size() > 0 && isBanned(of(player), server),
        isNameBanned: name =>
          cache.list().size() > 0 && banned.isNameBanned(cache.list(), name, { on, now: clock.now() }),
        async bindPlayers(players, lease) {
          for (const player of players) lookup.remember(of(player));
          let bound: string[] = [];
          const sight = (draft: Draft): boolean => {
            const now = clock.now();
            bound = players.flatMap(player => banned.bindEntries(draft, of(player), { on, now }));
            return draft.puts().length > 0;
          };
          if (cache.list().size() === 0 || !sight(draftOf(cache.list()))) return;
          const changed = cache.change(sight, lease).then(async isNews => {
            if (isNews) sync.wake(undefined);
            for (const name of bound) await sync.auditBinding(server, name);
          });
          await cache.logFaults(changed);
        },
      };
    }),
  };
}
