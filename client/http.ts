import {
  type Answered,
  type Asked,
  type Ending,
  objectIn,
  type Signal,
  systemTimers,
  type Timers,
  trimmed,
  whole,
} from "./platform.ts";
import {
  type Acknowledged,
  type Ban,
  type BannedPlayer,
  ERROR_CODES,
  type ErrorCode,
  type EventObject,
  type Failure,
  type HistoryOf,
  type HistorySpan,
  type InitializationData,
  type KeptEvent,
  type KnownPlayerData,
  type KnownPlayers,
  type KnownSites,
  type LinkedPlayerResponse,
  type ListedServer,
  type Metrics,
  type NotReady,
  type PlayerData,
  type Ready,
  type Result,
  type ServerInfo,
  type ServiceSettings,
  type SessionData,
  type SessionLabel,
} from "./types.ts";

export interface ClientOptions {
  /** address of the service, also below a path; the page's own origin when it is left out */
  base?: string;
  /** called instead of `fetch` */
  fetch?: (url: string, init: Asked) => Promise<Answered>;
  /** sent with every request, for example a cookie where no browser keeps one */
  headers?: Record<string, string>;
  /** how long a call may take, in milliseconds; more than the 10 s that the service waits for the game when it is left out */
  timeoutMs?: number;
  timers?: Timers;
}

/** What a request may be ended by. */
export interface CallOptions {
  signal?: Signal;
  /** for this call instead of that of the client */
  timeoutMs?: number;
}

/** How long a call may take where nothing else is said, in milliseconds. */
const TIMEOUT_MS = 12_000;

declare const AbortController: new () => Ending;
declare const URLSearchParams: new (from: [name: string, value: unknown][]) => object;
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare function fetch(url: string, init: Asked): Promise<Answered>;

/** Which of the kept events to ask for. */
export interface EventsQuery {
  /** all of them when it is left out */
  types?: readonly KeptEvent[];
  /** id of an event: those after it, oldest first; the newest when it is left out */
  since?: string;
  /** most events of the answer: 1 to 500, 100 when it is left out */
  limit?: number;
  /** name of a game server: what happened there and what was written to all; of every one when it is left out */
  server?: string;
}

/** Who is asked for of everybody who has been here. */
export interface KnownQuery {
  /** `last-seen` when it is left out, and `name` where that is asked for */
  sort?: "last-seen" | "first-seen" | "playtime" | "kills" | "deaths" | "visits" | "name";
  /** only those whose name begins so, whatever the case; everybody when it is blank */
  name?: string;
  /** most players of the answer: 1 to 200, 50 when it is left out */
  limit?: number;
  /** the `next` of the answer before, to the same `sort` and `name`; the first players when it is null */
  after?: string | null;
  /** of an administrator, with the scope `players:read` */
  key?: string;
}

/** One call for each endpoint. None throws: what went wrong is in the result. */
export interface Client {
  /** Figures of the game server: `GET /status`. */
  status(options?: CallOptions): Promise<Result<Metrics>>;
  /** Who is online: `GET /players`. */
  players(options?: CallOptions): Promise<Result<PlayerData[]>>;
  /**
   * The same calls of the game server of this name: status, players, server, history, whitelist, kick, announce and bans are its
   * own, events those there, and `linkPlayer` asks there alone. They fail with `unknown_server` where there is none. All else is of the whole service.
   */
  server(name: string): Client;
  /** Name, address, version and size of the game server, as far as its owner tells them: `GET /server`. */
  server(options?: CallOptions): Promise<Result<ServerInfo>>;
  /** The game servers behind the service, the first one first: `GET /servers`. */
  servers(options?: CallOptions): Promise<Result<ListedServer[]>>;
  /**
   * Everybody who has ever been here, a page at a time: `GET /known-players`. Where the owner keeps it for keys, it fails with
   * `wrong_key` without one.
   */
  knownPlayers(query?: KnownQuery, options?: CallOptions): Promise<Result<KnownPlayers>>;
  /** One of them: `GET /known-players/<uuid>`, and with a key for it when that was. Fails with `unknown_player`. */
  knownPlayer(uuid: string, options?: CallOptions & { key?: string }): Promise<Result<KnownPlayerData>>;
  /** What status showed in the last hour, or means of a day, a week, a month or a year: `GET /history`. */
  history<S extends HistorySpan = "1h">(options?: CallOptions & { for?: S }): Promise<Result<HistoryOf<S>>>;
  /** What a page has to know before it shows anything, such as who may write into the chat now: `GET /console.json`. */
  settings(options?: CallOptions): Promise<Result<ServiceSettings>>;
  /** What happened and is kept, oldest first: `GET /events` as JSON. */
  events(query?: EventsQuery, options?: CallOptions): Promise<Result<EventObject[]>>;
  /** Makes the session that the calls of linking need, and has browsers keep that of a link for longer: `GET /initialize`. */
  initialize(options?: CallOptions): Promise<Result<InitializationData>>;
  /** Asks the online player of exactly this name. Fails with `already_pending` while an earlier request is open. */
  linkPlayer(username: string, options?: CallOptions): Promise<Result<Acknowledged<"verification_sent">>>;
  /** The link of this browser: `GET /linked-player`. */
  linkedPlayer(options?: CallOptions): Promise<Result<LinkedPlayerResponse>>;
  /** What the lines of this browser are called by in the feed: `GET /session/label`. */
  label(options?: CallOptions): Promise<Result<SessionLabel>>;
  /** The session, and the player linked to it, also while that one is offline: `GET /session`. */
  session(options?: CallOptions): Promise<Result<SessionData>>;
  /** The same for programs with a key: `GET /sessions/<id>`. Fails with `unknown_session` where it never asked for a link. */
  sessionOf(key: string, userId: string, options?: CallOptions): Promise<Result<SessionData>>;
  unlinkPlayer(options?: CallOptions): Promise<Result<Acknowledged<"unlinked">>>;
  /** Sites that this browser's player has told who she is: `GET /session/sites`. */
  sites(options?: CallOptions): Promise<Result<KnownSites>>;
  /** Tells a site nothing any more: `DELETE /session/sites/<id>`. Fails with `not_found` where it was told nothing. */
  endSite(id: string, options?: CallOptions): Promise<Result<Acknowledged<"ended">>>;
  /** Fails with `wrong_key` when the key is not the administrator's. */
  whitelist(key: string, options?: CallOptions): Promise<Result<string[]>>;
  addToWhitelist(
    key: string,
    playerName: string,
    options?: CallOptions,
  ): Promise<Result<Acknowledged<"whitelisted">>>;
  /** Takes every entry of exactly this name off. Fails with `not_whitelisted` where there is none. */
  removeFromWhitelist(
    key: string,
    playerName: string,
    options?: CallOptions,
  ): Promise<Result<Acknowledged<"removed">>>;
  /**
   * Sends the online player of exactly this name away, who is told the reason. Fails with `player_offline` where nobody has the
   * name. The key needs the scope `players:kick`.
   */
  kick(
    key: string,
    playerName: string,
    reason?: string,
    options?: CallOptions,
  ): Promise<Result<Acknowledged<"kicked">>>;
  /** Shows a text in the game, and to whoever reads its chat. The key needs the scope `chat:announce`. */
  announce(key: string, content: string, options?: CallOptions): Promise<Result<Acknowledged<"announced">>>;
  /** Bans that hold, on all game servers or any. The key needs the scope `bans:read`. */
  bans(key: string, options?: CallOptions): Promise<Result<Ban[]>>;
  /**
   * Bans a player on all game servers, of the client of one there, in the place of an earlier ban. `for` is a duration such as `7d`,
   * for good without. Fails with `ambiguous_name` where two have had the name. The key needs the scope `bans:write`.
   */
  ban(
    key: string,
    player: BannedPlayer,
    how?: { reason?: string | undefined; for?: string | undefined },
    options?: CallOptions,
  ): Promise<Result<Acknowledged<"banned">>>;
  /** Lifts what `bans` lists of a player, of the client of one game server its own. Fails with `not_banned` where that is nothing. */
  unban(key: string, player: BannedPlayer, options?: CallOptions): Promise<Result<Acknowledged<"unbanned">>>;
  health(options?: CallOptions): Promise<Result<Acknowledged<"ok">>>;
  /** Whether a game server reports: `GET /readyz`. Without one this is an answer too, and no failure. */
  readiness(options?: CallOptions): Promise<Result<Ready | NotReady>>;
}

/** What a call answers when nothing went wrong. */
export type Answer<K extends keyof Client> =
  Awaited<ReturnType<Client[K]>> extends Result<infer T> ? T : never;

interface Call extends CallOptions {
  body?: object;
  method?: "POST" | "DELETE";
  key?: string | undefined;
}

/** An answer that has been read. */
interface Whole {
  answer: Answered;
  text: string;
}

export function createClient(options: ClientOptions = {}): Client {
  const { headers: ownHeaders, timers = systemTimers, timeoutMs: usualMs = TIMEOUT_MS } = options;
  const base = trimmed(options.base ?? "");
  const send = options.fetch ?? ((url: string, init: Asked) => fetch(url, init));

  async function fetchText(url: string, { body, method, key }: Call, signal: Signal): Promise<Whole> {
    const answer = await send(url, {
      method: method ?? (body ? "POST" : "GET"),
      credentials: "include",
      headers: {
        ...ownHeaders,
        ...(body && { "Content-Type": "application/json" }),
        ...(key !== undefined && { "X-Service-Api-Key": bytesOf(key) }),
      },
      body: body ? JSON.stringify(body) : null,
      signal,
    });
    return { answer, text: await answer.text() };
  }

  /** What `begin` comes to, or nothing once the time is over or the caller ends it, whether `begin` heeds that or not. */
  function within<T>(asked: CallOptions, begin: (signal: Signal) => Promise<T>): Promise<T | Failure> {
    const { signal, timeoutMs = usualMs } = asked;
    return new Promise(resolve => {
      const ending = new AbortController();
      function settle(what: T | Failure): void {
        cancel();
        signal?.removeEventListener("abort", onAbort);
        resolve(what);
      }
      function fail(code: ErrorCode, cause: unknown): void {
        settle({ ok: false, status: 0, code, cause });
        ending.abort(cause);
      }
      const onAbort = (): void => fail("aborted", signal?.reason);
      const cancel = timers.after(timeoutMs, () =>
        fail("unreachable", new Error(`no answer within ${timeoutMs} ms`)),
      );
      if (signal?.aborted) return onAbort();
      signal?.addEventListener("abort", onAbort);
      begin(ending.signal).then(settle, (cause: unknown) =>
        fail(isAddress(base) ? "unreachable" : "bad_address", cause),
      );
    });
  }

  async function call<T>(path: string, asked: Call = {}): Promise<Result<T>> {
    const answered = await within(asked, signal => fetchText(base + path, asked, signal));
    if (!("answer" in answered)) return answered;
    const { answer, text } = answered;
    const { ok, status, headers } = answer;
    const value = objectIn(text);
    if (value && (ok || (path === "/readyz" && "reason" in value))) return { ok: true, value: value as T };
    let code: ErrorCode = ERROR_CODES.find(known => known === value?.error) ?? "unknown";
    if (value?.status === "already_pending") code = value.status;
    if (status === 401 && !text && asked.key !== undefined) code = "wrong_key";
    const retryAfter = Number(headers.get("Retry-After") ?? -1);
    const requestId = headers.get("X-Request-Id");
    return {
      ok: false,
      status,
      code,
      ...(retryAfter >= 0 && { retryAfter }),
      ...(requestId && { requestId }),
    };
  }

  /** the request for a session that is under way, and how many wait for it */
  let beginning: { answer: Promise<Result<InitializationData>>; ending: Ending; waiting: number } | undefined;

  /** Two at once would be given two sessions, and a browser keeps one of them. */
  async function initialize(asked: CallOptions = {}): Promise<Result<InitializationData>> {
    const ending = new AbortController();
    const { signal } = ending;
    const timeoutMs = Math.max(usualMs, asked.timeoutMs ?? 0);
    beginning ??= { answer: call("/initialize", { signal, timeoutMs }), ending, waiting: 0 };
    const shared = beginning;
    shared.waiting++;
    const answer = await within(asked, () => shared.answer);
    if (--shared.waiting === 0) {
      if (beginning === shared) beginning = undefined;
      shared.ending.abort();
    }
    return answer;
  }

  /** The calls of a game server: `at` is the path before theirs. */
  function callsOf(at: string, name?: string): Client {
    function server(of: string): Client;
    function server(ask?: CallOptions): Promise<Result<ServerInfo>>;
    function server(of?: string | CallOptions): Client | Promise<Result<ServerInfo>> {
      return typeof of === "string" ? callsOf(`/servers/${partOf(of)}`, of) : call(`${at}/server`, of);
    }
    const list = `${at}/whitelist`;
    return {
      status: ask => call(`${at}/status`, ask),
      players: ask => call(`${at}/players`, ask),
      server,
      servers: ask => call("/servers", ask),
      knownPlayers: ({ key, name, after, ...query } = {}, ask) => {
        const picked = { ...query, name: name || undefined, after: after || undefined };
        return call(withQuery("/known-players", picked), { ...ask, key });
      },
      knownPlayer: (uuid, ask) => call(`/known-players/${partOf(uuid)}`, ask),
      history: ({ for: span, ...ask } = {}) => call(`${at}/history${span ? `?for=${span}` : ""}`, ask),
      settings: ask => call("/console.json", ask),
      events: ({ types, since, limit, server = name } = {}, ask) => {
        const picked = { types: types?.join(), since: since || undefined };
        return call(withQuery("/events", { format: "json", ...picked, limit, server }), ask);
      },
      initialize,
      linkPlayer: (username, ask) => call("/link-player", { ...ask, body: { username, server: name } }),
      linkedPlayer: ask => call("/linked-player", ask),
      session: ask => call("/session", ask),
      label: ask => call("/session/label", ask),
      unlinkPlayer: ask => call("/unlink-player", { ...ask, method: "POST" }),
      sites: ask => call("/session/sites", ask),
      endSite: (id, ask) => call(`/session/sites/${partOf(id)}`, { ...ask, method: "DELETE" }),
      sessionOf: (key, userId, ask) => call(`/sessions/${partOf(userId)}`, { ...ask, key }),
      whitelist: (key, ask) => call(list, { ...ask, key }),
      addToWhitelist: (key, playerName, ask) => call(list, { ...ask, key, body: { playerName } }),
      removeFromWhitelist: (key, playerName, ask) =>
        call(list, { ...ask, key, body: { playerName }, method: "DELETE" }),
      kick: (key, playerName, reason, ask) =>
        call(`${at}/kick`, { ...ask, key, body: { playerName, reason } }),
      announce: (key, content, ask) => call(`${at}/announce`, { ...ask, key, body: { content } }),
      bans: (key, ask) => call(`${at}/bans`, { ...ask, key }),
      ban: (key, player, how, ask) => call(`${at}/bans`, { ...ask, key, body: { ...player, ...how } }),
      unban: (key, player, ask) => call(`${at}/bans`, { ...ask, key, body: player, method: "DELETE" }),
      health: ask => call("/healthz", ask),
      readiness: ask => call("/readyz", ask),
    };
  }
  return callsOf("");
}

/** Whether it is the whole address of something on the web, or becomes one by the page's own. */
function isAddress(url: string): boolean {
  try {
    whole(url);
    return true;
  } catch {
    return false;
  }
}

/** The path with those that are defined. */
const withQuery = (path: string, query: object): string =>
  `${path}?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined))}`;

/** A key as the bytes of UTF-8: a header holds bytes, and `fetch` refuses letters that are none. */
const bytesOf = (key: string): string => String.fromCharCode(...new TextEncoder().encode(key));

/** As a part of a path, from wherever it is: what can be no session and no name of a game server or a site is none. */
const partOf = (text: string): string => (/^\w[\w.~-]*$/.test(text) ? text : "-");
