import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Config } from "../../config/settings.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { costOf, perMinute, secondsToNext } from "../../platform/rate.ts";
import type { Rates } from "../storage/ports.ts";
import { retryAfter } from "./answer.ts";
import { addressKey, clientAddress, isThisMachine, type Trust } from "./client-address.ts";
import { type ErrorAnswer, errorAnswer } from "./errors.ts";
import { corsHeaders, createHostCheck, createOriginCheck, PUBLIC_CORS } from "./origin.ts";
import { createBlockList } from "./overload/block-list.ts";
import { createByteBudget } from "./overload/byte-budget.ts";
import { rateLimitHeaders } from "./rate-limit.ts";

const HEALTH = /^\/(healthz|readyz)(\?|$)/;

/** Refusals that a body in too many chunks counts as: reading it takes as long. */
const TOO_MANY_CHUNKS_WEIGHT = 10;

/** Why a request or an upgrade is rejected, for any path. */
export type RequestRefusal =
  | "too_many_connections"
  | "rate_limited"
  | "host_not_allowed"
  | "origin_not_allowed";

/** Headers that let the calling page read the answer. */
type Cors = Record<string, string> | undefined;

/** The checks of a request or an upgrade that need no rate. */
interface AdmissionCheck {
  code: "host_not_allowed" | "origin_not_allowed" | undefined;
  cors: Cors;
}

/**
 * Decides about each request and upgrade of the public listener by its address, host, origin and rate. An address that is refused
 * too often is blocked.
 */
export interface Admission {
  /** The address by which limits of a request are counted. */
  addressOf(req: IncomingMessage): string;
  corsOf(req: IncomingMessage): Cors;
  /** Why a request is refused for its host or its origin, if it is. */
  hostOrOriginFault(req: IncomingMessage): AdmissionCheck["code"];
  isBlocked(address: string): boolean;
  /** Whether connections of a blocked address are closed. Programs of this machine, a proxy among them, are still answered. */
  isDisconnected(address: string): boolean;
  /** The refusal of a request while its address is blocked. */
  blockedAnswer(req: IncomingMessage): ErrorAnswer | undefined;
  /** Whether the connection has an answer under way, or one that was its last. */
  isAnswering(socket: Duplex): boolean;
  /** The answers that are under way on all connections. */
  underWay(): ServerResponse[];
  /** Stops counting the answers of a connection that speaks another protocol from now on. */
  stopCounting(socket: Duplex): void;
  /** Counts a refusal against the address of a request. */
  countRefusal(req: IncomingMessage): void;
  countRefusalOf(address: string): void;
  /** Counts a body in too many chunks; its answer is the last one of its connection. */
  onTooManyChunks(req: IncomingMessage): void;
  /** Counts a body that continues after its answer, unless a page of another origin may have sent it: no page sends chunks. */
  onBodyAfterAnswer(req: IncomingMessage): void;
  /** Counts a connection that breaks HTTP, or was reset before its first request, unless it is that of a trusted proxy. */
  onBrokenConnection(socket: Socket, isReset: boolean): void;
  /** each refusal as it is answered */
  readonly refusalAnswers: { readonly [C in RequestRefusal]: ErrorAnswer<C> };
  /** Makes the answer to this request the last one of its connection: later requests are dropped. */
  endConnection(req: IncomingMessage): void;
  /** The answer to this request is a stream: the connection ends with the next request on it. */
  beginStream(req: IncomingMessage): void;
  /** Whether a request is dropped: it came after the last answer of its connection, or its address is blocked. */
  isDropped(req: IncomingMessage): boolean;
  /** Whether too many requests were sent ahead, or too many bytes of answers are unread. */
  exceedsBudget(req: IncomingMessage, res: ServerResponse): boolean;
  /** Checks host and origin, without counting against the rate. */
  admit(req: IncomingMessage): AdmissionCheck;
  /**
   * Counts a request, and calls `goOn` with its refusal, if any, and the headers with the remaining requests: within this call or later,
   * unless its connection has closed.
   */
  count(
    req: IncomingMessage,
    admitted: AdmissionCheck,
    goOn: (refusal: RequestRefusal | undefined, limit: Record<string, string>) => void,
  ): void;
  /** Charges an address for bytes of an answer; returns 0, or the seconds to wait if the address is over its rate. */
  chargeBytes(address: string, bytes: number): Promise<number>;
}

/**
 * @param deps.isForAll whether pages of every origin may request this, and the answer has its own CORS headers
 * @param deps.isPublic whether pages of every origin may request this without cookie and key
 * @param deps.onBlocked called with each address that is blocked
 * @param deps.report called with an error that has ended a connection
 */
export function createAdmission(deps: {
  api: Config["modules"]["api"];
  clock: Clock;
  log: Log;
  rates: Pick<Rates, "left" | "take">;
  trust: Trust;
  isForAll?(req: IncomingMessage): boolean;
  isPublic?(req: IncomingMessage): boolean;
  onBlocked(address: string): void;
  report(error: unknown): void;
}): Admission {
  const {
    api,
    clock,
    log,
    rates,
    trust,
    onBlocked,
    report,
    isForAll = () => false,
    isPublic = () => false,
  } = deps;
  const checkHost = createHostCheck(api, trust);
  const ofOrigin = createOriginCheck(api.corsOrigins, trust, isPublic);
  const checkOrigin: typeof ofOrigin = req =>
    req.headers.origin === undefined || isForAll(req) ? "none" : ofOrigin(req);
  const rate = { name: "requests", ...perMinute(api.limits.requestsPerMinute) };
  const later = retryAfter(secondsToNext(rate));
  const refusalAnswers = {
    too_many_connections: errorAnswer("too_many_connections", later),
    rate_limited: errorAnswer("rate_limited", later),
    host_not_allowed: errorAnswer("host_not_allowed"),
    origin_not_allowed: errorAnswer("origin_not_allowed"),
  };
  const keys = new WeakMap<Duplex, string>();
  /** connections that end with the current answer: later requests are dropped */
  const ended = new WeakSet<Duplex>();
  /** those of them whose answer is a stream */
  const streams = new WeakSet<Duplex>();
  const blockList = createBlockList(clock, (address, forMs) => {
    log.warn({ address, seconds: forMs / 1_000 }, "Blocked an address that was rejected too often");
    if (!isThisMachine(address)) onBlocked(address);
  });

  function addressOf(req: IncomingMessage): string {
    const known = keys.get(req.socket);
    if (known !== undefined) return known;
    const from = req.socket.remoteAddress;
    const key = addressKey(clientAddress(req, trust) ?? "");
    // Behind a trusted proxy, each request has its own client.
    if (from !== undefined && !trust(from, 0)) keys.set(req.socket, key);
    return key;
  }

  const byteBudget = createByteBudget(addressOf, report);

  const corsOf = (req: IncomingMessage, origin = checkOrigin(req)): Cors =>
    origin === "listed" ? corsHeaders(req) : origin === "public" ? PUBLIC_CORS : undefined;

  function hostOrOriginFault(req: IncomingMessage, origin = checkOrigin(req)): AdmissionCheck["code"] {
    // A load balancer checks the health by address.
    if (!checkHost(req) && !HEALTH.test(req.url ?? "")) return "host_not_allowed";
    return origin === "refused" ? "origin_not_allowed" : undefined;
  }

  const isBlocked = (address: string): boolean => blockList.secondsLeft(address) > 0;

  return {
    addressOf,
    corsOf,
    hostOrOriginFault,
    isBlocked,
    isDisconnected: address => isBlocked(address) && !isThisMachine(address),
    blockedAnswer(req) {
      const seconds = blockList.secondsLeft(addressOf(req));
      if (seconds === 0 || HEALTH.test(req.url ?? "")) return undefined;
      return errorAnswer("rate_limited", { ...retryAfter(seconds), ...rateLimitHeaders(rate, 0, seconds) });
    },
    isAnswering: socket => ended.has(socket) || byteBudget.isAnswering(socket),
    underWay: byteBudget.underWay,
    stopCounting: byteBudget.stopCounting,
    countRefusal: req => blockList.countRefusal(addressOf(req)),
    countRefusalOf: address => blockList.countRefusal(address),
    onTooManyChunks(req) {
      ended.add(req.socket);
      blockList.countRefusal(addressOf(req), TOO_MANY_CHUNKS_WEIGHT);
    },
    onBodyAfterAnswer(req) {
      ended.add(req.socket);
      if (req.headers["transfer-encoding"] !== undefined)
        blockList.countRefusal(addressOf(req), TOO_MANY_CHUNKS_WEIGHT);
      else if (hostOrOriginFault(req) === undefined) blockList.countRefusal(addressOf(req));
    },
    onBrokenConnection(socket, isReset) {
      const from = socket.remoteAddress;
      if (from === undefined || trust(from, 0) || (isReset && keys.has(socket))) return;
      blockList.countRefusal(addressKey(from));
    },
    refusalAnswers,
    endConnection({ socket }) {
      ended.add(socket);
    },
    beginStream({ socket }) {
      ended.add(socket);
      streams.add(socket);
      byteBudget.stopCounting(socket);
    },
    isDropped(req) {
      const { socket } = req;
      const address = addressOf(req);
      if (ended.has(socket)) {
        blockList.countRefusal(address);
        // Node would keep each of them until the stream ends.
        if (streams.has(socket) || isBlocked(address)) socket.destroy();
        return true;
      }
      // A proxy would take a closed connection for a failure of the service.
      if (!isBlocked(address) || isThisMachine(address) || trust(socket.remoteAddress ?? "", 0)) return false;
      socket.destroy();
      return true;
    },
    exceedsBudget: byteBudget.isExceeded,
    admit(req) {
      const origin = checkOrigin(req);
      return { code: hostOrOriginFault(req, origin), cors: corsOf(req, origin) };
    },
    count(req, { code }, goOn) {
      const bucket = { key: addressOf(req), rate };
      const settle = (over: number): void => {
        if (over >= 0) blockList.countRefusal(bucket.key);
        goOn(over >= 0 ? "rate_limited" : code, rateLimitHeaders(rate, over >= 0 ? 0 : rates.left(bucket)));
      };
      const over = rates.take(bucket);
      if (typeof over === "number") {
        settle(over);
        return;
      }
      over
        .then(place => {
          if (!req.socket.destroyed) settle(place);
        })
        .catch((error: unknown) => {
          req.socket.destroy();
          report(error);
        });
    },
    async chargeBytes(address, bytes) {
      const cost = costOf(bytes, rate);
      if (cost === 0 || (await rates.take({ key: address, rate, cost })) < 0) return 0;
      return secondsToNext(rate, cost);
    },
  };
}
