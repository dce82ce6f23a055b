import { randomAt } from "./random.ts";

/** A request, as a fault function gets it. */
export interface RequestInfo {
  readonly path: string;
  readonly method: string;
  /** Number of the request, from 0. */
  readonly index: number;
}

/**
 * The fault of a request.
 * - loseRequest: it does not reach the other side. loseResponse: it does, and the response is dropped.
 *   The script sees an error immediately, or nothing until the timeout.
 * - delay: ticks before it is sent, and before its response is delivered.
 * - duplicate: a second copy is sent this many ticks later; its response is ignored.
 * - outage: connection refused.
 */
export type Fault =
  | { readonly kind: "loseRequest" | "loseResponse"; readonly seen: "atOnce" | "atTimeout" }
  | { readonly kind: "delay"; readonly requestTicks?: number; readonly responseTicks?: number }
  | { readonly kind: "duplicate"; readonly afterTicks: number }
  | { readonly kind: "outage" };

export type FaultFunction = (info: RequestInfo) => Fault | undefined;

function some(rate: number, seed: number, fault: (info: RequestInfo) => Fault): FaultFunction {
  return info => (randomAt(seed, info.index) < rate ? fault(info) : undefined);
}

function oneOf(seed: number, index: number): "atOnce" | "atTimeout" {
  return randomAt(seed + 1, index) < 0.5 ? "atOnce" : "atTimeout";
}

/** Loses a share of the requests. Without `seen`, half of them fail immediately and half at the timeout. */
export function loseRequests(rate: number, seed: number, seen?: "atOnce" | "atTimeout"): FaultFunction {
  return some(rate, seed, ({ index }) => ({ kind: "loseRequest", seen: seen ?? oneOf(seed, index) }));
}

/** Loses a share of the responses. Without `seen`, half of them fail immediately and half at the timeout. */
export function loseResponses(rate: number, seed: number, seen?: "atOnce" | "atTimeout"): FaultFunction {
  return some(rate, seed, ({ index }) => ({ kind: "loseResponse", seen: seen ?? oneOf(seed, index) }));
}

/** Delays a share of the requests and their responses by up to `maxTicks` each. */
export function delays(rate: number, seed: number, maxTicks: number): FaultFunction {
  return some(rate, seed, ({ index }) => ({
    kind: "delay",
    requestTicks: Math.floor(randomAt(seed + 2, index) * (maxTicks + 1)),
    responseTicks: Math.floor(randomAt(seed + 3, index) * (maxTicks + 1)),
  }));
}

/** Sends a share of the requests twice, the copy up to `maxTicks` later. */
export function duplicates(rate: number, seed: number, maxTicks: number): FaultFunction {
  return some(rate, seed, ({ index }) => ({
    kind: "duplicate",
    afterTicks: Math.floor(randomAt(seed + 4, index) * (maxTicks + 1)),
  }));
}

/** Refuses every connection. */
export function outage(): FaultFunction {
  return () => ({ kind: "outage" });
}

/** The first result of several fault functions. */
export function firstFault(...all: readonly FaultFunction[]): FaultFunction {
  return info => {
    for (const faults of all) {
      const fault = faults(info);
      if (fault) return fault;
    }
    return undefined;
  };
}
