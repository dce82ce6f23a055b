import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import type { PublicSnapshot, Snapshots } from "../../app/snapshots.ts";
import { type PreparedResponse, prepareJson, sendPrepared } from "../prepared.ts";
import { type PublicDeps, sendUnavailable } from "./deps.ts";

type SnapshotPath = "/status" | "/players";

/**
 * Answers `GET /status` or `GET /players` if there is a fresh snapshot; false when there is none. `extra` are headers of
 * this one answer.
 */
export type SendSnapshot = (
  path: SnapshotPath,
  req: IncomingMessage,
  res: ServerResponse,
  extra?: OutgoingHttpHeaders,
) => boolean;

/** Prepares the responses once for each snapshot. */
export function createSendSnapshot(snapshots: Snapshots, refreshMs: number): SendSnapshot {
  let prepared: Record<SnapshotPath, PreparedResponse> | undefined;

  function prepare({ status, players }: PublicSnapshot): void {
    prepared = { "/status": prepareJson(status, refreshMs), "/players": prepareJson(players, refreshMs) };
  }

  const now = snapshots.fresh();
  if (now) prepare(now);
  snapshots.onChange(prepare);

  return (path, req, res, extra) => {
    if (!prepared || !snapshots.fresh()) return false;
    sendPrepared(prepared[path], req, res, extra);
    return true;
  };
}

/** `GET /status` and `GET /players` for the requests that do not take the fast path, see `public.ts`. */
export const snapshotRoute =
  ({ api }: PublicDeps, send: SendSnapshot, path: SnapshotPath): RequestHandler =>
  (req, res) => {
    if (!send(path, req, res)) sendUnavailable(res, api);
  };
