import type { HistoryData } from "../../../client/types.ts";
import { type Prepared, prepareJson, sendPrepared } from "../prepared.ts";
import type { PublicDeps, Route } from "./deps.ts";

/** `GET /history`: what the snapshots of the last hour showed. Made once for each point that is added. */
export function historyRoute({ history }: PublicDeps): Route<"history"> {
  let prepared: { of: HistoryData; answer: Prepared } | undefined;
  return (req, res) => {
    const data = history.data();
    if (prepared?.of !== data) prepared = { of: data, answer: prepareJson(data, data.intervalMs) };
    sendPrepared(prepared.answer, req, res);
  };
}
