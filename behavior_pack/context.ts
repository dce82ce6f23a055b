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
  /** Queues a fact that is encoded already. */
  reportJson(kind: Fact["is"], json: string, delivery?: FactDelivery): void;
  /** Shows a text to a player, or on the console where it is for none. False: the player is not online. */
  tell(player: PlayerRef | undefined, key: GameTextKey, values?: TextValues): boolean;
  /** Calls back at the end of this tick or in the next one, when the game allows everything again. */
  soon(callback: () => void): void;
}
