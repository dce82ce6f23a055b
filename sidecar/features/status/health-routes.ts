import { sendJson } from "../../kernel/http/answer.ts";
import { type PublicDeps, type Route, retryAfterRefresh } from "../../kernel/http/deps.ts";

/** `GET /healthz`: the process is up. */
export const healthRoute: Route<"health"> = (_req, res) => {
  sendJson(res, { status: "ok" });
};

/** Whether a game server is connected, its figures are fresh, and links can be stored. */
export function readiness({ storageFault, worlds }: Pick<PublicDeps, "storageFault" | "worlds">) {
  const fault = storageFault();
  const servers = worlds.all.map(({ name, snapshots }) => ({
    name,
    state: snapshots.fresh() ? ("online" as const) : ("away" as const),
  }));
  if (servers.some(({ state }) => state === "online") && fault === undefined)
    return { status: "ready" as const, servers };
  const reason = fault ?? "no game server has reported lately";
  return { status: "unavailable" as const, servers, reason };
}

/** `GET /readyz`: see `readiness`. */
export const readyRoute =
  (deps: PublicDeps): Route<"readiness"> =>
  (_req, res) => {
    const ready = readiness(deps);
    if (ready.status === "ready") sendJson(res, ready);
    else sendJson(res, ready, 503, retryAfterRefresh(deps.api));
  };
