import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { FigureGauge } from "../platform/metrics.ts";
import type { FactHandlers } from "./bridge/facts.ts";
import type { ListenerTools } from "./http/public.ts";
import type { BoundRoute, Handlers } from "./http/route.ts";

/** What a feature adds to the service; `S`: a game server, as features know it. */
export interface Feature<S extends { name: string }> {
  /** What it does about what a game server reports. Features handle a fact one after another, as `compose` lists them. */
  facts?(server: S): FactHandlers;
  /** Figures of it for operators. */
  readonly gauges?: readonly FigureGauge[];
  /** What the public listener serves of it, with what that lends. */
  serve?(http: ListenerTools): ServedFeature<S>;
  /** Begins nothing more by itself. */
  stop?(): void;
  /** To be called when the game servers report nothing more: stores what is left. */
  close?(): Promise<void>;
}

/** What the public listener serves of a feature. */
export interface ServedFeature<S extends { name: string }> {
  /** those that are described */
  readonly routes?: readonly BoundRoute<S>[];
  /** other paths, by themselves */
  readonly others?: Readonly<Record<string, Handlers>>;
  /** of the other paths, those for pages of every origin */
  readonly othersForAll?: readonly string[];
  /** Answers where that costs no more than a refusal, else false; `extra` are headers of this one answer. */
  answerAtOnce?(req: IncomingMessage, res: ServerResponse, extra: OutgoingHttpHeaders | undefined): boolean;
  /** Takes an upgrade that asks for a WebSocket; `isPast`: its connection is one past the limit. */
  onUpgrade?(req: IncomingMessage, raw: Duplex, head: Buffer, isPast: boolean): void;
  readonly gauges?: readonly FigureGauge[];
  /** Ends what clients hold open, within so many milliseconds. */
  close?(withinMs: number): Promise<void>;
}
