import type { PlayerRow } from "../../../shared/facts.ts";
import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import type { Bus } from "../../kernel/bridge/ports.ts";
import { withoutPlayer, withPlayer } from "../../kernel/bridge/snapshot.ts";
import { bound } from "../../kernel/http/route.ts";
import type { Lease } from "../../kernel/storage/ports.ts";
import type { ServiceContext } from "../context.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import { badgeRoutes, figureRoutes, healthRoutes, type StatusRoutesDeps } from "./routes.ts";
import type { SnapshotAnswers } from "./snapshot-answers.ts";

/** Publishes the online players to all processes. */
function snapshotFacts(bus: Pick<Bus, "lastSnapshot" | "publish">): FactHandlers {
  async function publish(change: (rows: readonly PlayerRow[]) => PlayerRow[], lease: Lease): Promise<void> {
    const last = await bus.lastSnapshot();
    if (last) await bus.publish({ kind: "snapshot", snapshot: { ...last, rows: change(last.rows) } }, lease);
  }
  return {
    joined: ({ row }, { lease }) => publish(rows => withPlayer(rows, row), lease),
    left: ({ id }, { lease }) => publish(rows => withoutPlayer(rows, id), lease),
    listed: async (report, { lease }) =>
      bus.publish({ kind: "snapshot", snapshot: { ...report, rows: [...report.rows] } }, lease),
  };
}

/** Status, players, history and badge of the game servers, and the health of the service. */
export const createStatusFeature = (
  { api, config, servers }: ServiceContext,
  own: { answers: SnapshotAnswers } & Pick<StatusRoutesDeps, "storageFault">,
): ServiceFeature => ({
  facts: ({ bus }) => snapshotFacts(bus),
  serve: () => ({
    routes: bound([...figureRoutes, ...badgeRoutes, ...healthRoutes], {
      ...own,
      api,
      servers,
      web: config.modules.web,
    }),
    answerAtOnce: own.answers.send,
  }),
});
