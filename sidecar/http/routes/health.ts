import { sendJson } from "../answer.ts";
import { type PublicDeps, type Route, retryAfterRefresh } from "./deps.ts";

/** `GET /healthz`: the process is up. */
export const healthRoute: Route<"health"> = (_req, res) => {
  sendJson(res, { status: "ok" });
};

/** `GET /readyz`: a game server is connected, its figures are fresh, and links can be stored. */
export function readyRoute({ api, storageFault, world }: PublicDeps): Route<"readiness"> {
  return (_req, res) => {
    const fault = storageFault();
    if (world.snapshots.fresh() && fault === undefined) {
      sendJson(res, { status: "ready" });
      return;
    }
    const reason = fault ?? "no game server has reported lately";
    sendJson(res, { status: "unavailable", reason }, 503, retryAfterRefresh(api));
  };
}
