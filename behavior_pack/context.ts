import type { PlayerRef } from "../shared/actions.ts";
import type { Fact } from "../shared/facts.ts";
import type { GameTextKey } from "../shared/game-texts.ts";
import type { FactDelivery } from "./bridge/fact-queue.ts";
import type { Notices } from "./notices.ts";
import type { Roster } from "./players/roster.ts";
import type { Clock, Players, Store } from "./ports.ts";
import type { Texts, TextValues } from "./texts.ts";

/** What every feature of the pack works with. */
export interface PackContext<P> {
  readonly clock: Clock;
  readonly players: Players<P>;
  readonly store: Store;
  readonly notices: Notices;
  readonly texts: Texts;
  readonly roster: Roster<P>;
  /** whether there is a session with the sidecar */
  isLive(): boolean;
  /** Queues a fact for the sidecar. */
  report(fact: Fact, delivery?: FactDelivery): void;
  /** Queues an encoded fact. */
  reportJson(kind: Fact["is"], json: string, delivery?: FactDelivery): void;
  /** Sends a text to a player, or to the console without one. Returns false if the player is offline. */
  tell(player: PlayerRef | undefined, key: GameTextKey, values?: TextValues): boolean;
  /** Runs a callback at the end of this tick or in the next one, outside restricted execution. */
  soon(callback: () => void): void;
}
