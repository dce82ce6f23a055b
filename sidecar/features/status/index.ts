import { bound } from "../../kernel/http/route.ts";
import type { ServiceFeature } from "../servers/world.ts";
import { snapshotFacts } from "./facts.ts";
import { badgeRoutes, figureRoutes, healthRoutes, type StatusRoutesDeps } from "./routes.ts";
import type { SnapshotAnswers } from "./snapshot-answers.ts";

/** State, players, history and badge of the game servers, and the health of the service. */
export const createStatusFeature = (
  deps: Omit<StatusRoutesDeps, "answers"> & { answers: SnapshotAnswers },
): ServiceFeature => ({
  facts: ({ bus }) => snapshotFacts(bus),
  serve: () => ({
    routes: bound([...figureRoutes, ...badgeRoutes, ...healthRoutes], deps),
    answerAtOnce: deps.answers.send,
  }),
});
