import { createSteadyTime } from "../../platform/clock.ts";
import { createEmbeddedBus } from "../bridge/embedded-bus.ts";
import { createEmbeddedOutbox } from "../bridge/embedded-outbox.ts";
import { createParts } from "./files/parts.ts";
import { createPlayerRequests } from "./files/player-requests.ts";
import { createMemoryRates } from "./files/rates.ts";
import type { BanStore } from "./ports/bans.ts";
import type { OwnLog, WorldLog } from "./ports/feed.ts";
import type { Bus } from "./ports/game.ts";
import type { KnownStore } from "./ports/known.ts";
import type { Shared, SharedWorld } from "./ports/shared.ts";
import type { Clock, GameServerStore, OwnStore, Reach } from "./ports.ts";

/** A storage of this process. */
export const ALWAYS_THERE: Reach = { isAway: () => false, onChange: () => undefined };

/** What a bridge with one sidecar process needs, in this process, with links, feed and the like as they are handed in. */
export function embedded(
  clock: Clock,
  { store, feedLog, ...own }: { store: OwnStore; feedLog: OwnLog; known: KnownStore; bans: BanStore },
  /** names of the worlds beside the first */
  names: readonly string[] = [],
): Shared {
  const bus = createEmbeddedBus();
  const worldOf = (bus: Bus, log: WorldLog, gameServer: GameServerStore): SharedWorld => ({
    outbox: createEmbeddedOutbox(clock),
    bus,
    parts: createParts(clock),
    presence: log,
    history: log.history,
    gameServer,
  });
  const furtherOf = (name: string): SharedWorld =>
    worldOf(createEmbeddedBus(), feedLog.worldOf(name), store.gameServerOf(name));
  const time = createSteadyTime(clock);
  return {
    clock,
    time,
    store,
    choices: store,
    ...own,
    signIn: store.signIn(time),
    feedLog,
    playerRequests: createPlayerRequests(clock),
    world: worldOf(bus, feedLog, store),
    worlds: new Map(names.map(name => [name, furtherOf(name)])),
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
