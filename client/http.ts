import type { Aborter } from "./platform.ts";
import { type CallOptions, type ClientOptions, createRequests } from "./request.ts";
import type {
  Acknowledgement,
  AuditEntry,
  Ban,
  Banned,
  BannedPlayer,
  EventObject,
  HistoryOf,
  HistorySpan,
  InitializationData,
  KnownPlayerData,
  KnownPlayers,
  KnownSites,
  LinkedPlayerResponse,
  ListedServer,
  Metrics,
  Mute,
  NotReady,
  Permissions,
  PlayerData,
  Ready,
  Result,
  ServerInfo,
  ServiceSettings,
  SessionData,
  SessionLabel,
  StoredEventType,
} from "./types.ts";

declare const AbortController: new () => Aborter;
declare const URLSearchParams: new (from: [name: string, value: unknown][]) => object;

/** Which stored events to return. */
export interface EventsQuery {
  /** default: all of them */
  types?: readonly StoredEventType[];
  /** id of an event: returns those after it, oldest first; default: the newest */
  since?: string;
  /** most events in the response: 1 to 500, default 100 */
  limit?: number;
  /** name of a game server: its events and messages to all; default: events of every one */
  server?: string;
}

/** Which known players to return. */
export interface KnownQuery {
  /** default: `last-seen`, or `name` with a `name` */
  sort?: "last-seen" | "first-seen" | "playtime" | "kills" | "deaths" | "visits" | "name";
  /** only names with this prefix, ignoring case; all players if blank */
  name?: string;
  /** most players in the response: 1 to 200, default 50 */
  limit?: number;
  /** the `next` of the previous page, with the same `sort` and `name`; null: the first page */
  after?: string | null;
  /** an admin key with the scope `players:read` */
  key?: string;
}

/** Which part of a list to return. */
export interface PageOptions extends CallOptions {
  /** most elements in the response: 1 to 200; default: the whole list, or 50 with `after` */
  limit?: number | undefined;
  /** the `next` of the previous page */
  after?: string | undefined;
}

/** For calls that must not be carried out twice. */
interface OnceOptions extends CallOptions {
  /** letters, digits and hyphens, new for each action, such as a UUID; repeat a call with the same one if its response was lost */
  idempotencyKey?: string;
}

type Reply<T> = Promise<Result<T>>;

/** An admin key; undefined: use the session of a moderator without one. */
type Key = string | undefined;

/** One call for each endpoint. None throws: failures are in the result. */
export interface Client {
  /** Figures of the game server: `GET /status`. */
  status(options?: CallOptions): Reply<Metrics>;
  /** Online players: `GET /players`. */
  players(options?: CallOptions): Reply<PlayerData[]>;
  /**
   * The client of the game server of this name: its own status, players, server, history, whitelist, kick, announce, bans and
   * events, and `linkPlayer` sends requests there alone. They fail with `unknown_server` where there is none. Other calls are
   * about the whole service.
   */
  server(name: string): Client;
  /** Name, address, version and size of the game server, as far as its owner publishes them: `GET /server`. */
  server(options?: CallOptions): Reply<ServerInfo>;
  /** The game servers behind the service, the first one first: `GET /servers`. */
  servers(options?: CallOptions): Reply<ListedServer[]>;
  /** Known players, a page at a time: `GET /known-players`. Where the list needs a key, fails with `wrong_key` without one. */
  knownPlayers(query?: KnownQuery, options?: CallOptions): Reply<KnownPlayers>;
  /** One known player: `GET /known-players/<uuid>`; with a key that allows it, also their visits. Fails with `unknown_player`. */
  knownPlayer(uuid: string, options?: CallOptions & { key?: string }): Reply<KnownPlayerData>;
  /** Figures of the last hour, or roll-ups of a day, a week, a month or a year: `GET /history`. */
  history<S extends HistorySpan = "1h">(options?: CallOptions & { for?: S }): Reply<HistoryOf<S>>;
  /** The settings that a page needs, such as who may write in the chat: `GET /console.json`. */
  settings(options?: CallOptions): Reply<ServiceSettings>;
  /** Stored events, oldest first: `GET /events` as JSON. */
  events(query?: EventsQuery, options?: CallOptions): Reply<EventObject[]>;
  /** Creates the session that linking needs, and extends the cookie of a linked one: `GET /initialize`. */
  initialize(options?: CallOptions): Reply<InitializationData>;
  /** Sends a link request to the online player of exactly this name. Fails with `already_pending` while another one is open. */
  linkPlayer(username: string, options?: CallOptions): Reply<Acknowledgement<"verification_sent">>;
  /** The link of this browser: `GET /linked-player`. */
  linkedPlayer(options?: CallOptions): Reply<LinkedPlayerResponse>;
  /** The label of this browser's messages in events: `GET /session/label`. */
  label(options?: CallOptions): Reply<SessionLabel>;
  /** The session and its linked player, also while they are offline: `GET /session`. */
  session(options?: CallOptions): Reply<SessionData>;
  /** Any session, for programs with a key: `GET /sessions/<id>`. Fails with `unknown_session` where it never requested a link. */
  sessionOf(key: string, userId: string, options?: CallOptions): Reply<SessionData>;
  /** Cancels the pending request: `DELETE /link-request`. Fails with `no_request` where there is none. */
  cancelLinkRequest(options?: CallOptions): Reply<Acknowledgement<"cancelled">>;
  unlinkPlayer(options?: CallOptions): Reply<Acknowledgement<"unlinked">>;
  /** Sites that know the player of this browser: `GET /session/sites`. */
  sites(options?: CallOptions): Reply<KnownSites>;
  /** Disconnects a site: `DELETE /session/sites/<id>`. Fails with `not_found` where it is not connected. */
  endSite(id: string, options?: CallOptions): Reply<Acknowledgement<"ended">>;
  /** The scopes of a key, or without one of the moderator, and the game servers they are for: `GET /permissions`. */
  permissions(key: Key, options?: CallOptions): Reply<Permissions>;
  /** Fails with `wrong_key` when the key is not valid. */
  whitelist(key: string, options?: PageOptions): Reply<string[]>;
  addToWhitelist(
    key: string,
    playerName: string,
    options?: CallOptions,
  ): Reply<Acknowledgement<"whitelisted">>;
  /** Removes every entry of exactly this name. Fails with `not_whitelisted` where there is none. */
  removeFromWhitelist(
    key: string,
    playerName: string,
    options?: CallOptions,
  ): Reply<Acknowledgement<"removed">>;
  /**
   * Kicks the online player of exactly this name, and shows them the reason. Fails with `player_offline` where there is none. The
   * key needs the scope `players:kick`.
   */
  kick(
    key: Key,
    playerName: string,
    reason?: string,
    options?: OnceOptions,
  ): Reply<Acknowledgement<"kicked">>;
  /** Shows a text to all players and in the chat. The key needs the scope `chat:announce`. */
  announce(key: Key, content: string, options?: OnceOptions): Reply<Acknowledgement<"announced">>;
  /** Current bans, on all game servers or any. The key needs the scope `bans:read`. */
  bans(key: Key, options?: PageOptions): Reply<Ban[]>;
  /**
   * Bans a player on all game servers, or on the one of this client, and replaces an earlier ban. `for` is a duration such as
   * `7d`; without it the ban is permanent. `known` of the ban is false if no player of that name has ever been seen. Fails with
   * `ambiguous_name` if two players have had the name. The key needs the scope `bans:write`.
   */
  ban(
    key: Key,
    player: BannedPlayer,
    how?: { reason?: string | undefined; for?: string | undefined },
    options?: CallOptions,
  ): Reply<Banned>;
  /** Unbans a player, or on this client's game server alone. Fails with `not_banned` where there is none. */
  unban(key: Key, player: BannedPlayer, options?: CallOptions): Reply<Acknowledgement<"unbanned">>;
  /** Muted browsers, and until when. The key needs the scope `chat:mute`. */
  mutes(key: Key, options?: PageOptions): Reply<Mute[]>;
  /**
   * Mutes a browser in the web chat, by the label of its messages in events. `forHow` is a duration such as `30m`, at most `7d`;
   * default: an hour. The key needs the scope `chat:mute`.
   */
  mute(key: Key, label: string, forHow?: string, options?: CallOptions): Reply<Acknowledgement<"muted">>;
  /** Fails with `not_muted` where the browser is not muted. */
  unmute(key: Key, label: string, options?: CallOptions): Reply<Acknowledgement<"unmuted">>;
  /** The newest entries of the audit log, newest first: 1 to 200, 50 without `limit`. The key needs the scope `audit:read`. */
  audit(key: string, options?: CallOptions & { limit?: number }): Reply<AuditEntry[]>;
  health(options?: CallOptions): Reply<Acknowledgement<"ok">>;
  /** Whether a game server is connected: `GET /readyz`. `NotReady` is a value too, not a failure. */
  readiness(options?: CallOptions): Reply<Ready | NotReady>;
}

/** The value of a call that succeeded. */
export type Answer<K extends keyof Client> =
  Awaited<ReturnType<Client[K]>> extends Result<infer T> ? T : never;

export function createClient(options: ClientOptions = {}): Client {
  const { call, within, usualMs } = createRequests(options);

  /** the pending request for a session, and how many callers wait for it */
  let beginning:
    | { answer: Promise<Result<InitializationData>>; aborter: Aborter; waiting: number }
    | undefined;

  /** Callers share one request: two would create two sessions, and the browser keeps one of them. */
  async function initialize(limits: CallOptions = {}): Promise<Result<InitializationData>> {
    const aborter = new AbortController();
    const { signal } = aborter;
    const timeoutMs = Math.max(usualMs, limits.timeoutMs ?? 0);
    beginning ??= { answer: call("/initialize", { signal, timeoutMs }), aborter, waiting: 0 };
    const shared = beginning;
    shared.waiting++;
    const answer = await within(limits, () => shared.answer);
    if (--shared.waiting === 0) {
      if (beginning === shared) beginning = undefined;
      shared.aborter.abort();
    }
    return answer;
  }

  const page = <T>(path: string, key: Key, { limit, after, ...options }: PageOptions = {}): Reply<T> =>
    call(withQuery(path, { limit, after }), { ...options, key });

  /** The client of a game server, whose paths begin with `at`. */
  function callsOf(at: string, name?: string): Client {
    function server(of: string): Client;
    function server(options?: CallOptions): Promise<Result<ServerInfo>>;
    function server(of?: string | CallOptions): Client | Promise<Result<ServerInfo>> {
      return typeof of === "string" ? callsOf(`/servers/${partOf(of)}`, of) : call(`${at}/server`, of);
    }
    const list = `${at}/whitelist`;
    return {
      status: options => call(`${at}/status`, options),
      players: options => call(`${at}/players`, options),
      server,
      servers: options => call("/servers", options),
      knownPlayers: ({ key, name, after, ...query } = {}, options) => {
        const picked = { ...query, name: name || undefined, after: after || undefined };
        return call(withQuery("/known-players", picked), { ...options, key });
      },
      knownPlayer: (uuid, options) => call(`/known-players/${partOf(uuid)}`, options),
      history: ({ for: span, ...options } = {}) =>
        call(`${at}/history${span ? `?for=${span}` : ""}`, options),
      settings: options => call("/console.json", options),
      events: ({ types, since, limit, server = name } = {}, options) => {
        const picked = { types: types?.join(), since: since || undefined };
        return call(withQuery("/events", { format: "json", ...picked, limit, server }), options);
      },
      initialize,
      linkPlayer: (username, options) =>
        call("/link-player", { ...options, body: { username, server: name } }),
      linkedPlayer: options => call("/linked-player", options),
      session: options => call("/session", options),
      label: options => call("/session/label", options),
      cancelLinkRequest: options => call("/link-request", { ...options, method: "DELETE" }),
      unlinkPlayer: options => call("/unlink-player", { ...options, method: "POST" }),
      sites: options => call("/session/sites", options),
      endSite: (id, options) => call(`/session/sites/${partOf(id)}`, { ...options, method: "DELETE" }),
      sessionOf: (key, userId, options) => call(`/sessions/${partOf(userId)}`, { ...options, key }),
      permissions: (key, options) => call("/permissions", { ...options, key }),
      whitelist: (key, options) => page(list, key, options),
      addToWhitelist: (key, playerName, options) => call(list, { ...options, key, body: { playerName } }),
      removeFromWhitelist: (key, playerName, options) =>
        call(list, { ...options, key, body: { playerName }, method: "DELETE" }),
      kick: (key, playerName, reason, options) =>
        call(`${at}/kick`, { ...options, key, body: { playerName, reason } }),
      announce: (key, content, options) => call(`${at}/announce`, { ...options, key, body: { content } }),
      bans: (key, options) => page(`${at}/bans`, key, options),
      ban: (key, player, how, options) =>
        call(`${at}/bans`, { ...options, key, body: { ...player, ...how } }),
      // Some proxies drop the body of a DELETE.
      unban: (key, player, options) =>
        "uuid" in player
          ? call(`${at}/bans/${partOf(player.uuid)}`, { ...options, key, method: "DELETE" })
          : call(`${at}/bans`, { ...options, key, body: player, method: "DELETE" }),
      mutes: (key, options) => page("/mutes", key, options),
      mute: (key, label, forHow, options) =>
        call("/mutes", { ...options, key, body: { label, for: forHow } }),
      unmute: (key, label, options) => call("/mutes", { ...options, key, body: { label }, method: "DELETE" }),
      audit: (key, options) => page("/audit", key, options),
      health: options => call("/healthz", options),
      readiness: options => call("/readyz", options),
    };
  }
  return callsOf("");
}

/** A path with the defined parameters. */
function withQuery(path: string, query: object): string {
  const written = `${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined))}`;
  return written === "" ? path : `${path}?${written}`;
}

/** Text from anywhere as a part of a path; `-`, which names nothing, where it cannot be an id or a name. */
const partOf = (text: string): string => (/^\w[\w.~-]*$/.test(text) ? text : "-");
