import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Config } from "../../config/settings.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { costOf, perMinute, secondsToNext } from "../../platform/rate.ts";
import type { Rates } from "../storage/ports.ts";
import { addressKey, clientAddress, isThisMachine, type Trust } from "./client-address.ts";
import { corsHeaders } from "./cors.ts";
import { type ErrorAnswer, errorAnswer } from "./errors.ts";
import { retryAfter } from "./headers.ts";
import { createHostCheck } from "./host.ts";
import { createOriginCheck } from "./origin.ts";
import { createBlockList } from "./overload/block-list.ts";
import { createUnsent } from "./overload/unsent.ts";

const HEALTH = /^\/(healthz|readyz)(\?|$)/;

/** Refusals that a body counts as that may come in too many pieces: it takes as long to read as so many requests. */
const MANY_PIECES = 10;

/** Why a request or an upgrade is not served, whatever it asks for. */
export type Refusal = "too_many_connections" | "rate_limited" | "host_not_allowed" | "origin_not_allowed";

/** Headers by which the page that asks may read the answer. */
type Cors = Record<string, string> | undefined;

/** What is known at once of a request or an upgrade: why it is refused, if it is. */
export interface Admitted {
  code: "host_not_allowed" | "origin_not_allowed" | undefined;
  cors: Cors;
}

export type Admission = ReturnType<typeof createAdmission>;

/**
 * Decides what becomes of each request and each upgrade of the public listener by where it comes from, by what name it calls the
 * service, for which page, and how often. An address that is refused too often is shut out.
 * @param deps.isForAll whether what a request asks for is for pages of every origin, and says itself who may read the answer
 * @param deps.shutOut is told of each address that is shut out
 * @param deps.report is told of a fault that has ended a connection
 */
export function createAdmission(deps: {
  api: Config["modules"]["api"];
  clock: Clock;
  log: Log;
  rates: Pick<Rates, "take">;
  trust: Trust;
  isForAll?(req: IncomingMessage): boolean;
  shutOut(address: string): void;
  report(error: unknown): void;
}) {
  const { api, clock, log, rates, trust, shutOut, report, isForAll = () => false } = deps;
  const checkHost = createHostCheck(api, trust);
  const ofOrigin = createOriginCheck(api.corsOrigins, trust);
  const checkOrigin: typeof ofOrigin = req =>
    req.headers.origin === undefined || isForAll(req) ? "none" : ofOrigin(req);
  const rate = { name: "requests", ...perMinute(api.limits.requestsPerMinute) };
  const later = retryAfter(secondsToNext(rate));
  /** each refusal as it is answered */
  const answers = {
    too_many_connections: errorAnswer("too_many_connections", later),
    rate_limited: errorAnswer("rate_limited", later),
    host_not_allowed: errorAnswer("host_not_allowed"),
    origin_not_allowed: errorAnswer("origin_not_allowed"),
  };
  const keys = new WeakMap<Duplex, string>();
  /** connections that end with the answer they were given: nothing that comes behind it is dealt with */
  const ended = new WeakSet<Duplex>();
  /** those of them whose answer goes on until their client leaves */
  const endless = new WeakSet<Duplex>();
  const blocks = createBlockList(clock, (address, forMs) => {
    log.warn({ address, seconds: forMs / 1_000 }, "shut out an address that was refused too often");
    if (!isThisMachine(address)) shutOut(address);
  });

  /** What the limits of a request are counted by. */
  function addressOf(req: IncomingMessage): string {
    const known = keys.get(req.socket);
    if (known !== undefined) return known;
    const from = req.socket.remoteAddress;
    const key = addressKey(clientAddress(req, trust) ?? "");
    // Behind a proxy that is believed, each request says whom it is of.
    if (from !== undefined && !trust(from, 0)) keys.set(req.socket, key);
    return key;
  }

  const unsent = createUnsent(addressOf, report);

  const corsOf = (req: IncomingMessage, origin = checkOrigin(req)): Cors =>
    origin === "listed" ? corsHeaders(req) : undefined;

  /** Why a request is not served for whom it comes from, whatever it asks for. */
  function strangerOf(req: IncomingMessage, origin = checkOrigin(req)): Admitted["code"] {
    // A balancer asks after the service's health by its address.
    if (!checkHost(req) && !HEALTH.test(req.url ?? "")) return "host_not_allowed";
    return origin === "refused" ? "origin_not_allowed" : undefined;
  }

  const isShutOut = (address: string): boolean => blocks.secondsLeft(address) > 0;

  return {
    addressOf,
    corsOf,
    strangerOf,
    isShutOut,
    /** Whether nothing of an address is read while it is shut out: programs of this machine are answered, a proxy among them. */
    isCutOff: (address: string): boolean => isShutOut(address) && !isThisMachine(address),
    /** What a request is refused with while its address is shut out. */
    outOf(req: IncomingMessage): ErrorAnswer | undefined {
      const seconds = blocks.secondsLeft(addressOf(req));
      if (seconds === 0 || HEALTH.test(req.url ?? "")) return undefined;
      return errorAnswer("rate_limited", retryAfter(seconds));
    },
    isAnswering: (socket: Duplex): boolean => ended.has(socket) || unsent.isAnswering(socket),
    underWay: unsent.underWay,
    leave: unsent.leave,
    strike: (req: IncomingMessage): void => blocks.strike(addressOf(req)),
    strikeAddress: (address: string): void => blocks.strike(address),
    /** Counts a body in more pieces than any client makes of one; its answer is the last one of its connection. */
    manyPieces(req: IncomingMessage): void {
      ended.add(req.socket);
      blocks.strike(addressOf(req), MANY_PIECES);
    },
    /** Counts a body that goes on behind its answer, unless a page of another origin had its visitor send it: no page sends chunks. */
    goesOn(req: IncomingMessage): void {
      ended.add(req.socket);
      if (req.headers["transfer-encoding"] !== undefined) blocks.strike(addressOf(req), MANY_PIECES);
      else if (strangerOf(req) === undefined) blocks.strike(addressOf(req));
    },
    /**
     * Counts a connection that breaks HTTP, or was reset ahead of its first request: later a client may have had its reason. Where a
     * proxy is believed, it is that one's.
     */
    broken(socket: Socket, isReset: boolean): void {
      const from = socket.remoteAddress;
      if (from === undefined || trust(from, 0) || (isReset && keys.has(socket))) return;
      blocks.strike(addressKey(from));
    },
    answers,
    /** The answer to this request is the last one of its connection: what has come behind it is dropped. */
    end({ socket }: IncomingMessage): void {
      ended.add(socket);
    },
    /** This request is answered until its client leaves: the connection ends with the first request behind it. */
    lasts({ socket }: IncomingMessage): void {
      ended.add(socket);
      endless.add(socket);
      unsent.leave(socket);
    },
    /** Whether nothing is done for a request: it came behind the last answer of its connection, or its address is shut out. */
    drops(req: IncomingMessage): boolean {
      const { socket } = req;
      const address = addressOf(req);
      if (ended.has(socket)) {
        blocks.strike(address);
        // Node would keep each of them until the answer before it has ended.
        if (endless.has(socket) || isShutOut(address)) socket.destroy();
        return true;
      }
      // A proxy would take a connection that ends for a fault of the service, and keep others from it too.
      if (!isShutOut(address) || isThisMachine(address) || trust(socket.remoteAddress ?? "", 0)) return false;
      socket.destroy();
      return true;
    },
    /** Whether a request is one of too many that were sent ahead, or its client leaves too much unread. */
    isOver: unsent.isOver,
    /** What is known at once, with nothing counted against the rate yet. */
    admit(req: IncomingMessage): Admitted {
      const origin = checkOrigin(req);
      return { code: strangerOf(req, origin), cors: corsOf(req, origin) };
    },
    /**
     * Counts a request, and calls `goOn` with why it is refused, if it is: within this call where that is known, else later, unless
     * its connection has gone meanwhile.
     */
    count(req: IncomingMessage, { code }: Admitted, goOn: (refusal: Refusal | undefined) => void): void {
      const told = (over: number): void => {
        if (over >= 0) blocks.strike(addressOf(req));
        goOn(over >= 0 ? "rate_limited" : code);
      };
      const over = rates.take({ key: addressOf(req), rate });
      if (typeof over === "number") {
        told(over);
        return;
      }
      over
        .then(place => {
          if (!req.socket.destroyed) told(place);
        })
        .catch((error: unknown) => {
          req.socket.destroy();
          report(error);
        });
    },
    /** Counts so many bytes of an answer; seconds until it may be asked for again where its address is over its rate, or 0. */
    async pay(address: string, bytes: number): Promise<number> {
      const cost = costOf(bytes, rate);
      if (cost === 0 || (await rates.take({ key: address, rate, cost })) < 0) return 0;
      return secondsToNext(rate, cost);
    },
  };
}
