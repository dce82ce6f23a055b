import { createEmbeddedBus } from "./bridge/embedded-bus.ts";
import { createEmbeddedOutbox } from "./bridge/embedded-outbox.ts";
import { createSteadyTime } from "./clock.ts";
import type { OwnLog } from "./ports/feed.ts";
import type { Shared } from "./ports/shared.ts";
import type { Clock, OwnStore, Reach } from "./ports.ts";
import { createParts } from "./store/parts.ts";
import { createPlayerRequests } from "./store/player-requests.ts";
import { createMemoryRates } from "./store/rates.ts";

/** A storage of this process. */
export const ALWAYS_THERE: Reach = { isAway: () => false, onChange: () => undefined };

/** What a bridge with one sidecar process needs, in this process, with links and feed as they are handed in. */
export function embedded(clock: Clock, { store, feedLog }: { store: OwnStore; feedLog: OwnLog }): Shared {
  const bus = createEmbeddedBus();
  return {
    clock,
    time: createSteadyTime(clock),
    store,
    feedLog,
    playerRequests: createPlayerRequests(clock),
    world: {
      outbox: createEmbeddedOutbox(clock),
      bus,
      parts: createParts(clock),
      presence: feedLog,
      history: feedLog.history,
      gameServer: store,
    },
    webChat: bus,
    rates: createMemoryRates(clock),
    refused: { tell: () => undefined, others: () => [] },
    duty: { hold: begin => begin() },
    reach: ALWAYS_THERE,
    gauges: [],
    started: () => undefined,
    close: async () => undefined,
  };
}
