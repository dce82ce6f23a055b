import type { HistoryData } from "../../../shared/public/game.ts";
import { type PreparedResponse, prepareJson, sendPrepared } from "../prepared.ts";
import type { PublicDeps, Route } from "./deps.ts";

/** `GET /history`: what the snapshots of the last hour showed. Made once for each point that is added. */
export function historyRoute({ world }: PublicDeps): Route<"history"> {
  let prepared: { of: HistoryData; response: PreparedResponse } | undefined;
  return (req, res) => {
    const data = world.history.data();
    if (prepared?.of !== data) prepared = { of: data, response: prepareJson(data, data.intervalMs) };
    sendPrepared(prepared.response, req, res);
  };
}
