import type { BridgeStatus } from "../../../shared/status.ts";
import { PRODUCT_VERSION } from "../../../shared/version.ts";
import type { Clock } from "../../platform/clock.ts";
import type { ServerTag } from "../feed/rules/window.ts";
import type { Connections } from "../servers/last-connection.ts";
import type { Snapshots } from "./snapshots.ts";

/** Status of this process, which starts now, and of the last connection. Never rejects. */
export function createStatus(deps: {
  clock: Pick<Clock, "now">;
  tag: ServerTag;
  settings: BridgeStatus["settings"];
  connections: Pick<Connections, "last" | "refusedAt">;
  snapshots: Pick<Snapshots, "reportedAt">;
}): () => Promise<BridgeStatus> {
  const { tag, settings, connections, snapshots } = deps;
  const startedAt = deps.clock.now();
  const own = { version: PRODUCT_VERSION, startedAt, ...tag, ...(settings && { settings }) };
  return async () => {
    const last = await connections.last();
    if (last === undefined) return own;
    const reportedAt = snapshots.reportedAt();
    const { world, since } = last;
    const refusedAt = connections.refusedAt();
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
