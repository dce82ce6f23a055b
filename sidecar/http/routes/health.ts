import { sendJson } from "../answer.ts";
import { type PublicDeps, type Route, retryAfterRefresh } from "./deps.ts";

/** `GET /healthz`: the process is up. */
export const healthRoute: Route<"health"> = (_req, res) => {
  sendJson(res, { status: "ok" });
};

/** `GET /readyz`: a game server is connected, its figures are fresh, and links can be stored. */
export function readyRoute({ api, storageFault, worlds }: PublicDeps): Route<"readiness"> {
  return (_req, res) => {
    const fault = storageFault();
    const servers = worlds.all.map(({ name, snapshots }) => ({
      name,
      state: snapshots.fresh() ? ("online" as const) : ("away" as const),
    }));
    if (servers.some(({ state }) => state === "online") && fault === undefined) {
      sendJson(res, { status: "ready", servers });
      return;
    }
    const reason = fault ?? "no game server has reported lately";
    sendJson(res, { status: "unavailable", servers, reason }, 503, retryAfterRefresh(api));
  };
}
