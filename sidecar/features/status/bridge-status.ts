import type { BridgeStatus } from "../../../shared/status.ts";
import { PRODUCT_VERSION } from "../../../shared/version.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Mark } from "../feed/rules.ts";
import type { GameServers } from "../servers/game-servers.ts";
import type { Snapshots } from "./snapshots.ts";

/** Status of this process, which starts now, and of the last connection. Never rejects. */
export function createStatus(deps: {
  clock: Pick<Clock, "now">;
  mark: Mark;
  settings: BridgeStatus["settings"];
  gameServers: Pick<GameServers, "last" | "refusedAt">;
  snapshots: Pick<Snapshots, "reportedAt">;
}): () => Promise<BridgeStatus> {
  const { mark, settings, gameServers, snapshots } = deps;
  const startedAt = deps.clock.now();
  const own = { version: PRODUCT_VERSION, startedAt, ...mark, ...(settings && { settings }) };
  return async () => {
    const last = await gameServers.last();
    if (last === undefined) return own;
    const reportedAt = snapshots.reportedAt();
    const { world, since } = last;
    const refusedAt = gameServers.refusedAt();
    return {
      ...own,
      game: {
        ...(world && { world }),
        connectedAt: since,
        ...(reportedAt !== undefined && { reportedAt }),
        ...(refusedAt !== undefined && { refusedAt }),
      },
    };
  };
}
