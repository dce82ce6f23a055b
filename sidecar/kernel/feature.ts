import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { FigureGauge } from "../platform/metrics.ts";
import type { FactHandlers } from "./bridge/facts.ts";
import type { ListenerTools } from "./http/public.ts";
import type { BoundRoute, Handlers } from "./http/route.ts";

/** What a feature adds to the service; `S`: a game server. */
export interface Feature<S extends { name: string }> {
  /** Handlers for facts of a game server. Features handle a fact one after another, as `compose` lists them. */
  facts?(server: S): FactHandlers;
  /** figures for operators */
  readonly gauges?: readonly FigureGauge[];
  /** What the public listener serves of it. */
  serve?(http: ListenerTools): ServedFeature<S>;
  /** Stops what it does by itself. */
  stop?(): void;
  /** To be called when the game servers report nothing more: stores what is left. */
  close?(): Promise<void>;
}

/** What a feature has of each game server, by its name. */
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

/** What the public listener serves of a feature. */
export interface ServedFeature<S extends { name: string }> {
  /** those that are described */
  readonly routes?: readonly BoundRoute<S>[];
  /** paths that are not described */
  readonly others?: Readonly<Record<string, Handlers>>;
  /** of the other paths, those for pages of every origin */
  readonly othersForAll?: readonly string[];
  /** Answers requests that cost no more than a refusal, else returns false. `extra`: further headers. */
  answerAtOnce?(req: IncomingMessage, res: ServerResponse, extra: OutgoingHttpHeaders | undefined): boolean;
  /** Takes an upgrade to a WebSocket; `isPast`: its connection is over the limit. */
  onUpgrade?(req: IncomingMessage, raw: Duplex, head: Buffer, isPast: boolean): void;
  readonly gauges?: readonly FigureGauge[];
  /** Ends open connections within so many milliseconds. */
  close?(withinMs: number): Promise<void>;
}
