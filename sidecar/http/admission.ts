import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Config } from "../config/settings.ts";
import { MOST_WAITING } from "../domain/crowds.ts";
import { costOf, perMinute, secondsToNext } from "../domain/rate.ts";
import type { Clock, Rates } from "../ports.ts";
import { addressKey, clientAddress, type Trust } from "./client-address.ts";
import { contained } from "./contained.ts";
import { corsHeaders } from "./cors.ts";
import { createShares } from "./crowds/shares.ts";
import { createCrowd } from "./crowds/turns.ts";
import { errorAnswer } from "./errors.ts";
import { retryAfter } from "./headers.ts";
import { createHostCheck } from "./host.ts";
import { createInOrder } from "./in-order.ts";
import { createOriginCheck } from "./origin.ts";

const HEALTH = /^\/(healthz|readyz)(\?|$)/;

/** Why a request or an upgrade is not served, whatever it asks for. */
export type Refusal = "too_many_connections" | "rate_limited" | "host_not_allowed" | "origin_not_allowed";

/** Headers by which the page that asks may read the answer. */
type Cors = Record<string, string> | undefined;

/** Of a request or an upgrade that is refused at once; it is the last one of its connection. */
export type Ended = { is: "ended"; code: "too_many_connections" | "rate_limited"; cors: Cors };

/** Of one that is counted against the rate of its address: when that has its turn, and why it is refused then. */
export type Counted = {
  is: "counted";
  code: "host_not_allowed" | "origin_not_allowed" | undefined;
  share: "now" | "later";
  cors: Cors;
};

export type Outcome = Counted | Ended;

export type Admission = ReturnType<typeof createAdmission>;

/**
 * Decides what becomes of each request and each upgrade of the public listener by where it comes from, by what name it calls the
 * service, for which page, and how often.
 * @param deps.isPast whether the connection of a request is one past the limit
 * @param deps.isForAll whether what a request asks for is for pages of every origin, and says itself who may read the answer
 * @param deps.report is told of a fault, which ends the connection that it is about
 */
export function createAdmission(deps: {
  api: Config["modules"]["api"];
  clock: Clock;
  rates: Pick<Rates, "take">;
  trust: Trust;
  isPast(req: IncomingMessage): boolean;
  isForAll?(req: IncomingMessage): boolean;
  report(error: unknown): void;
}) {
  const { api, clock, rates, trust, isPast, report, isForAll = () => false } = deps;
  const checkHost = createHostCheck(api, trust);
  const ofOrigin = createOriginCheck(api.corsOrigins, trust);
  const checkOrigin: typeof ofOrigin = req =>
    req.headers.origin === undefined || isForAll(req) ? "none" : ofOrigin(req);
  const rate = { name: "requests", ...perMinute(api.limits.requestsPerMinute) };
  const later = retryAfter(secondsToNext(rate));
  const crowd = createCrowd(clock, report);
  const inOrder = createInOrder((connection: Duplex) => connection.destroy(), report);

  const keys = new WeakMap<Duplex, string>();
  /** What the limits of a request are counted by. */
  const addressOf = (req: IncomingMessage): string => {
    const known = keys.get(req.socket);
    if (known !== undefined) return known;
    const from = req.socket.remoteAddress;
    const key = addressKey(clientAddress(req, trust) ?? "");
    // Behind a proxy that is believed, each request says whom it is of.
    if (from !== undefined && !trust(from, 0)) keys.set(req.socket, key);
    return key;
  };

  const shares = createShares(clock, addressOf, crowd.waitingOf);

  const corsOf = (req: IncomingMessage, origin = checkOrigin(req)): Cors =>
    origin === "listed" ? corsHeaders(req) : undefined;

  /** Why a request is not served for whom it comes from, whatever it asks for. */
  function strangerOf(req: IncomingMessage, origin = checkOrigin(req)): Counted["code"] {
    // A balancer asks after the service's health by its address.
    if (!checkHost(req) && !HEALTH.test(req.url ?? "")) return "host_not_allowed";
    return origin === "refused" ? "origin_not_allowed" : undefined;
  }

  /** -1 where a request is not over the rate of its address; one that comes with a crowd is counted when it has its turn. */
  function take(req: IncomingMessage, { share }: Counted): number | Promise<number> {
    const address = addressOf(req);
    const taken = (): number | Promise<number> => rates.take({ key: address, rate });
    if (share === "now") return taken();
    return new Promise<void>(act => crowd.begin({ address, act })).then(taken);
  }

  return {
    addressOf,
    strangerOf,
    /** those who wait for their turn */
    crowd,
    /** For how long nobody is let in who connects from an address, in milliseconds. */
    // Of a proxy that is believed, anybody may have said that it is the one who asks.
    barredMs: (from: string): number => (trust(from, 0) ? 0 : shares.barredMs(addressKey(from))),
    /** each refusal as it is answered */
    answers: {
      too_many_connections: errorAnswer("too_many_connections", later),
      rate_limited: errorAnswer("rate_limited", later),
      host_not_allowed: errorAnswer("host_not_allowed"),
      origin_not_allowed: errorAnswer("origin_not_allowed"),
    },
    /** What is known at once, with nothing counted against the rate yet. */
    admit(req: IncomingMessage): Outcome {
      const origin = checkOrigin(req);
      const cors = corsOf(req, origin);
      if (isPast(req)) return { is: "ended", code: "too_many_connections", cors };
      const share = shares.take(req);
      if (share === "over") return { is: "ended", code: "rate_limited", cors };
      return { is: "counted", code: strangerOf(req, origin), share, cors };
    },
    /** What becomes of one that has sent too much ahead, or leaves too much unread; its address is barred for a while. */
    bar(req: IncomingMessage): Ended {
      shares.bar(addressOf(req));
      return { is: "ended", code: "rate_limited", cors: corsOf(req) };
    },
    /**
     * Counts a request, and calls `goOn` with why it is refused, if it is: within this call where that is known, else in the order
     * of each connection, unless that has gone meanwhile. From one that says false on, what waits behind it is dropped.
     */
    count(
      req: IncomingMessage,
      raw: Duplex,
      counted: Counted,
      goOn: (refusal: Refusal | undefined) => unknown,
    ): void {
      inOrder(raw, take(req, counted), (over, isLate) => {
        if (isLate && raw.destroyed) return false;
        return goOn(over >= 0 ? "rate_limited" : counted.code);
      });
    },
    /**
     * Refuses one that is over its share when it has its turn: thousands of refusals at once would hold up everybody. Where too
     * many of its address wait for that, its connection ends without an answer.
     */
    refuseInTurn(req: IncomingMessage, refuse: () => void): void {
      const { socket } = req;
      const address = addressOf(req);
      const end = (): unknown => socket.destroy();
      const act = (): void => {
        if (!socket.destroyed) refuse();
      };
      if (crowd.waitingOf(address) > MOST_WAITING) end();
      else crowd.begin({ address, act: contained(act, end, report) });
    },
    /** Counts so many bytes of an answer; seconds until it may be asked for again where its address is over its rate, or 0. */
    pay(address: string, bytes: number): number | Promise<number> {
      const cost = costOf(bytes, rate);
      if (cost === 0) return 0;
      const wait = (over: number): number => (over < 0 ? 0 : secondsToNext(rate, cost));
      const taken = rates.take({ key: address, rate, cost });
      return typeof taken === "number" ? wait(taken) : taken.then(wait);
    },
  };
}
