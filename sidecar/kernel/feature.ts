import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { FigureGauge } from "../platform/metrics.ts";
import type { FactHandlers } from "./bridge/facts.ts";
import type { ListenerTools } from "./http/public.ts";
import type { BoundRoute, Handlers } from "./http/route.ts";

/** A feature of the service; `S`: a game server. */
export interface Feature<S extends { name: string }> {
  /** Handlers for facts of a game server. Features handle a fact one after another, in the order of `compose`. */
  facts?(server: S): FactHandlers;
  /** metrics for operators */
  readonly gauges?: readonly FigureGauge[];
  /** What the public listener serves for it. */
  serve?(http: ListenerTools): ServedFeature<S>;
  /** Stops its background work. */
  stop?(): void;
  /** To be called when the game servers report nothing more: stores unsaved data. */
  close?(): Promise<void>;
}

/** A feature's object for each game server, by its name. */
export function perServer<S extends { name: string }, T>(
  servers: readonly S[],
  make: (server: S) => T,
): (server: { name: string }) => T {
  const all = new Map(servers.map(server => [server.name, make(server)]));
  return ({ name }) => {
    const own = all.get(name);
    if (own === undefined) throw new Error(`there is no game server ${name}`);
    return own;
  };
}

/** What the public listener serves for a feature. */
export interface ServedFeature<S extends { name: string }> {
  /** described routes */
  readonly routes?: readonly BoundRoute<S>[];
  /** paths without a description */
  readonly others?: Readonly<Record<string, Handlers>>;
  /** further paths that are open to every origin */
  readonly othersForAll?: readonly string[];
  /** Answers requests that are as cheap as a rejection, else returns false. `extra`: further headers. */
  answerAtOnce?(req: IncomingMessage, res: ServerResponse, extra: OutgoingHttpHeaders | undefined): boolean;
  /** Handles an upgrade to a WebSocket; `isPast`: its connection is over the limit. */
  onUpgrade?(req: IncomingMessage, raw: Duplex, head: Buffer, isPast: boolean): void;
  readonly gauges?: readonly FigureGauge[];
  /** Ends open connections within the given number of milliseconds. */
  close?(withinMs: number): Promise<void>;
}
