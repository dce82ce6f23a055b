import { prepareChanging, sendPrepared } from "../prepared.ts";
import type { Route, WorldDeps } from "./deps.ts";

/** `GET /history`: what the snapshots of the last hour showed. Made once for each point that is added. */
export function historyRoute({ world: { history } }: WorldDeps): Route<"history"> {
  const answer = prepareChanging(history.data().intervalMs);
  return (req, res) => sendPrepared(answer(history.data()), req, res);
}
