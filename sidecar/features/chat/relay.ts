import type { Fact } from "../../../shared/facts.ts";
import type { Game } from "../../kernel/bridge/game.ts";
import type { Rates } from "../../kernel/storage/ports.ts";
import type { Snapshots } from "../status/snapshots.ts";
import { lineForOthers, RELAYED } from "./rules/chat.ts";

type GameChat = Extract<Fact, { is: "said" }>;

/** A game server as others hear of it, and hear others. */
interface RelayServer {
  readonly name: string;
  readonly info: { readonly title: string };
  readonly game: Pick<Game, "relay">;
  readonly snapshots: Pick<Snapshots, "fresh">;
}

/** Shows what is said on one game server on the others. */
export interface Relay {
  /**
   * Relays lines of the game server of this name, in their order, at most once each, to the others that are online. To be called
   * once for a line, under the lease of the request that reports it: that keeps the order. Settles when all are queued.
   */
  relay(from: string, lines: readonly GameChat[]): Promise<void>;
}

/** `format` as in `lineForOthers`; undefined: nothing is relayed. */
export function createRelay(deps: {
  servers: { readonly all: readonly RelayServer[] };
  rates: Pick<Rates, "take">;
  format: string | undefined;
}): Relay {
  const { servers, rates, format } = deps;
  return {
    async relay(from, lines) {
      const source = servers.all.find(({ name }) => name === from);
      if (format === undefined || source === undefined || lines.length === 0) return;
      const server = source.info.title || source.name;
      const texts = lines.flatMap(line => lineForOthers(format, { ...line, server }) ?? []);
      const taken = await Promise.all(texts.map(() => rates.take({ key: from, rate: RELAYED })));
      const others = servers.all.filter(server => server !== source && server.snapshots.fresh());
      texts.forEach((text, i) => {
        if (taken[i] === -1) for (const { game } of others) game.relay(text);
      });
    },
  };
}
