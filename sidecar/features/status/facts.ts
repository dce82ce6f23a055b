import type { PlayerRow } from "../../../shared/facts.ts";
import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import { withoutPlayer, withPlayer } from "../../kernel/bridge/snapshot.ts";
import type { Bus } from "../../kernel/storage/ports/game.ts";
import type { Turn } from "../../kernel/storage/ports.ts";

/** Tells all processes who is there. */
export function snapshotFacts(bus: Pick<Bus, "lastSnapshot" | "publish">): FactHandlers {
  async function publish(change: (rows: readonly PlayerRow[]) => PlayerRow[], turn: Turn): Promise<void> {
    const last = await bus.lastSnapshot();
    if (last) await bus.publish({ kind: "snapshot", snapshot: { ...last, rows: change(last.rows) } }, turn);
  }
  return {
    joined: ({ row }, { turn }) => publish(rows => withPlayer(rows, row), turn),
    left: ({ id }, { turn }) => publish(rows => withoutPlayer(rows, id), turn),
    listed: async (report, { turn }) =>
      bus.publish({ kind: "snapshot", snapshot: { ...report, rows: [...report.rows] } }, turn),
  };
}
