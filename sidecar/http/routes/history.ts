import type { RequestHandler } from "express";
import type { HistoryData } from "../../app/history.ts";
import { type Prepared, prepareJson, sendPrepared } from "../prepared.ts";
import type { PublicDeps } from "./deps.ts";

/** `GET /history`: what the pictures of the last hour showed. Made once for each point that is added. */
export function historyRoute({ history }: PublicDeps): RequestHandler {
  let prepared: { of: HistoryData; answer: Prepared } | undefined;
  return (req, res) => {
    const data = history.data();
    if (prepared?.of !== data) prepared = { of: data, answer: prepareJson(data, data.intervalMs) };
    sendPrepared(prepared.answer, req, res);
  };
}
