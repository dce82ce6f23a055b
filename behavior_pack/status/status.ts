import type { GameTextKey } from "../../shared/game-texts.ts";
import { PRODUCT_VERSION, WIRE_VERSION } from "../../shared/version.ts";
import type { ConnectionStatus } from "../bridge/connection-status.ts";
import type { Reply } from "../commands.ts";
import type { PackContext } from "../context.ts";
import type { TextValues } from "../texts.ts";

/** How long the number of rejected chat messages is shown. */
const REFUSED_SECONDS = 60;

interface StatusDeps {
  connection(): Readonly<ConnectionStatus>;
  /** queue lengths, under the placeholder names of the text */
  waiting(): { facts: number; actions: number; links: number };
  bans(): { bans: number; pending: number };
}

/** `/bridge:status`: the connection and the queues. */
export const createStatus =
  <P>({ clock, players, texts, isLive }: PackContext<P>, deps: StatusDeps) =>
  (player: P | undefined): Reply => {
    const locale = player && players.locale(player);
    const lines: string[] = [];
    const add = (key: GameTextKey, values: TextValues): void =>
      void lines.push(texts.text(locale, key, values));
    const { url, world, sidecar, reason, acknowledgedAt, refused, server } = deps.connection();
    const age = Math.round((clock.now() - acknowledgedAt) / 1000);
    const versions = { pack: PRODUCT_VERSION, wire: WIRE_VERSION };
    add(`bridge.status-${isLive() ? "" : "not-"}connected`, { url, world, sidecar, reason, ...versions });
    add("bridge.status-reports", { seconds: acknowledgedAt === 0 ? "-" : age, ...deps.waiting() });
    if (refused && isLive() && Math.abs(age) <= REFUSED_SECONDS)
      add("bridge.status-refused", { lines: refused.lines, address: refused.from });
    const { bans, pending } = deps.bans();
    if (bans + pending > 0) add("bridge.status-bans", { bans, pending });
    if (server !== undefined && isLive()) add("bridge.status-server", { server });
    return { done: true, text: lines.join("\n") };
  };
