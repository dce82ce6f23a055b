import { randomUUID } from "node:crypto";
import { MAX_LINK_REQUESTS, NAME_LENGTH } from "../../../shared/limits.ts";
import { ACTION_TIMEOUT_MS, type ActionEnd } from "../../kernel/bridge/actions.ts";
import type { SharedTime } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { browserOf } from "../chat/rules/web-chat.ts";
import type { LinkRates, LinkRequestLimiter } from "./limits.ts";
import { type LinkServer, type LinkServers, lists } from "./link-servers.ts";
import * as links from "./rules/links.ts";
import { BLOCKED_MS, type LinkLimit } from "./rules/player-requests.ts";
import type { LinkStorage } from "./storage.ts";

/** How long one of several game servers may take to find a player whom it does not list, in milliseconds. */
const LOOK_MS = 2_000;

/** Result of `linkPlayer`; `unstored`: nothing can be stored now; `unexpected`: `why` is for the log. */
type LinkPlayerResult =
  | { answer: "verification_sent" | "already_pending" | "player_offline" | "busy" | "unstored" }
  | { answer: "limited"; by: LinkLimit | "everybody"; waitMs: number }
  | { answer: "unexpected"; why: string };

/**
 * Sends a link request of a session to the online player of exactly this name. `address`: the limiter's key for the browser's
 * address. `on`: the game servers to look on, in their order. `signIn`: the sign-in that it is for, if any.
 */
export type LinkPlayer = (
  session: string,
  username: string,
  address: string,
  on: readonly LinkServer[],
  signIn?: links.SiteSignIn,
) => Promise<LinkPlayerResult>;

/** A game server that got the request, and its outcome. */
interface ServerAnswer {
  server: LinkServer;
  ended: ActionEnd;
}

/** Where a request goes, and the sign-in that it is for. */
interface RequestTarget {
  on: readonly LinkServer[];
  listing: readonly LinkServer[];
  signIn: links.SiteSignIn | undefined;
}

export function createLinkRequests(deps: {
  time: SharedTime;
  storage: LinkStorage;
  servers: LinkServers;
  limiter: LinkRequestLimiter;
  rates: LinkRates;
  log: Log;
  /** life of a link request in milliseconds */
  verificationMs: number;
  /** how long a declined request is remembered, in milliseconds */
  keepMs: number;
  /** the record as it stands now */
  settled(record: links.LinkRecord): links.LinkRecord;
  /** whether the answer to the request of a record waits to be stored */
  isAnswered(record: links.LinkRecord): boolean;
  /** name of the site that the request is for, for the form */
  siteOf(signIn: links.SiteSignIn | undefined): { site?: string };
}) {
  const { time, storage, servers, limiter, rates, log, verificationMs, keepMs, settled, isAnswered, siteOf } =
    deps;
  const { store } = storage;

  const linkPlayer: LinkPlayer = async (session, username, address, on, signIn) => {
    if (username.length > NAME_LENGTH) return { answer: "player_offline" };
    if (links.openRequest(settled(await store.read(session)))) return { answer: "already_pending" };
    // The queue may have space even if the link cannot be stored.
    if (storage.fault() !== undefined) return { answer: "unstored" };
    const request = `link:${randomUUID()}`;
    const listing = on.filter(server => lists(server, username));
    const admission = await limiter.admit(username, {
      request,
      from: [address, session],
      browser: browserOf(session),
      lifeMs: ACTION_TIMEOUT_MS,
      online: listing.length > 0,
    });
    if (admission !== "admitted") return { answer: "limited", ...admission };
    try {
      const counted = rates.take(username, listing[0]?.storedName);
      const waitMs = typeof counted === "number" ? counted : await counted;
      if (waitMs > 0) return { answer: "limited", by: "everybody", waitMs };
      return await send(session, username, request, { on, listing, signIn });
    } finally {
      await limiter.cancel(username, request);
    }
  };

  /**
   * Sends the request to one game server after another until one has the player: first to those that list the player, then to the
   * others, since a player who has just joined may not be listed yet.
   */
  async function send(
    session: string,
    username: string,
    request: string,
    { on, listing, signIn }: RequestTarget,
  ): Promise<LinkPlayerResult> {
    const now = time();
    const deadlines = { until: now + ACTION_TIMEOUT_MS, deadline: now + verificationMs };
    const own = { request, username, ...deadlines, ...(signIn && { signIn }) };
    const browser = browserOf(session);
    let last: ServerAnswer | undefined;
    let isOffline = false;
    for (const gameServer of [...listing, ...on.filter(server => !listing.includes(server))]) {
      const leftMs = own.until - time();
      if (leftMs <= 0) break;
      const server = servers.serverOf(gameServer);
      const begins = { ...own, ...(server !== undefined && { server }) };
      const step = await store.change(session, record => links.beginOnNext(settled(record), begins, time()));
      if (step === "found") return { answer: "verification_sent" };
      if (step === "conflict") return conflictResult(verificationMs);
      closeForm(request, last);
      if (step === "already_pending") return { answer: "already_pending" };
      const conflict = await endConflicts(session, username);
      if (conflict) return conflict;
      const isSure = on.length === 1 || listing.includes(gameServer);
      const ended = await gameServer.game.act(
        { do: "link-open", request, username, browser, openForMs: own.deadline - time(), ...siteOf(signIn) },
        request,
        undefined,
        isSure ? leftMs : Math.min(leftMs, LOOK_MS),
      );
      last = { server: gameServer, ended };
      if (ended.status === "offline") isOffline = true;
      else if (isSure || endsTheSearch(ended)) return end(session, username, request, last);
      else
        log.warn(
          { server: gameServer.name, status: ended.status },
          "A game server did not report whether the player of a link request is online",
        );
    }
    return end(session, username, request, last, isOffline);
  }

  /** Ends a request with the answer of the last game server, or as offline. */
  async function end(
    session: string,
    username: string,
    request: string,
    last: ServerAnswer | undefined,
    isOffline = false,
  ): Promise<LinkPlayerResult> {
    const ended = last?.ended ?? { id: request, status: "timeout", begun: false };
    if (last && (ended.status === "blocked" || ended.status === "busy"))
      rates.unreached(username, last.server.storedName);
    if (ended.status === "done") return { answer: "verification_sent" };
    // The game may have the form open.
    if (ended.status === "away" && ended.begun) return { answer: "unstored" };
    const step = await store.change(session, record => links.cancel(record, request));
    if (ended.status === "away") return { answer: "unstored" };
    const became = step === "stale" ? (await store.read(session)).link : undefined;
    // The outcome may have arrived in the moment in which waiting for it ended.
    if (became && links.openRequestOf(became)?.request === request) return { answer: "verification_sent" };
    if (became?.status === "declined" && became.alike === request) return conflictResult(verificationMs);
    closeForm(request, last);
    if (isOffline) return { answer: "player_offline" };
    if (ended.status === "blocked") return { answer: "limited", by: "blocked", waitMs: BLOCKED_MS };
    if (ended.status === "busy" || ended.status === "full") {
      const full = await limiter.reachedLimit(username, request);
      return full ? { answer: "limited", ...full } : { answer: "busy" };
    }
    if (storage.fault() !== undefined) return { answer: "unstored" };
    const reason = "reason" in ended ? `: ${ended.reason}` : "";
    return { answer: "unexpected", why: `link request ${ended.status}${reason}` };
  }

  /** Ends all requests that would show the player the same characters as this one: the player could not distinguish them. */
  async function endConflicts(own: string, username: string): Promise<LinkPlayerResult | undefined> {
    const browser = browserOf(own);
    const all = (await store.open(MAX_LINK_REQUESTS, browser)).flatMap(({ session, record }) => {
      const now = settled(record);
      const request = links.openRequest(now);
      const isOpen = request !== undefined && !isAnswered(now);
      return isOpen && links.requestedPlayer(now) === username
        ? [{ session, request, server: links.requestedOn(now) }]
        : [];
    });
    if (all.every(({ session }) => session === own)) return undefined;
    const waitMs = await limiter.conflict(username, browser, verificationMs);
    for (const { session, request, server } of all) {
      const end = (record: links.LinkRecord) => links.endConflict(settled(record), request, time() + keepMs);
      const step = await store.change(session, end);
      if (step === "stale" || session === own) continue;
      servers.close({ request, server });
      await limiter.ended(username, request);
    }
    return conflictResult(waitMs);
  }

  return { linkPlayer };
}

/** Closes the form that a game server may have for a request that has ended. */
function closeForm(request: string, last: ServerAnswer | undefined): void {
  if (last === undefined) return;
  const { status } = last.ended;
  const isNone = ["offline", "blocked", "busy", "full"].includes(status);
  if (isNone || (last.ended.status === "timeout" && !last.ended.begun)) return;
  void last.server.game.act({ do: "link-close", request });
}

/** Whether the answer of a game server that does not list the player ends the search. */
const endsTheSearch = ({ status }: ActionEnd): boolean =>
  ["done", "blocked", "busy", "away"].includes(status);

const conflictResult = (waitMs: number): LinkPlayerResult => ({
  answer: "limited",
  by: "same-browser",
  waitMs,
});
