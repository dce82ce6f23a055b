import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import type { PublicSnapshot, Snapshots } from "../../app/snapshots.ts";
import { type PreparedResponse, prepareJson, sendPrepared } from "../prepared.ts";
import { type PublicDeps, sendUnavailable } from "./deps.ts";

type SnapshotPath = "/status" | "/players";

export type SnapshotAnswers = ReturnType<typeof createSnapshotAnswers>;

/** Prepares the responses once for each snapshot. */
export function createSnapshotAnswers(snapshots: Snapshots, refreshMs: number) {
  let prepared: Record<SnapshotPath, PreparedResponse> | undefined;

  function prepare({ status, players }: PublicSnapshot): void {
    prepared = { "/status": prepareJson(status, refreshMs), "/players": prepareJson(players, refreshMs) };
  }

  const now = snapshots.fresh();
  if (now) prepare(now);
  snapshots.onChange(prepare);

  return {
    /**
     * Answers `GET /status` or `GET /players` if there is a fresh snapshot; false when there is none. `extra` are headers
     * of this one answer.
     */
    send(
      path: SnapshotPath,
      req: IncomingMessage,
      res: ServerResponse,
      extra?: OutgoingHttpHeaders,
    ): boolean {
      if (!prepared || !snapshots.fresh()) return false;
      sendPrepared(prepared[path], req, res, extra);
      return true;
    },
    /** The body of one of them, while there is a fresh snapshot. */
    body: (path: SnapshotPath): Buffer | undefined => (snapshots.fresh() ? prepared?.[path].body : undefined),
  };
}

/** `GET /status` and `GET /players` for the requests that do not take the fast path, see `public.ts`. */
export const snapshotRoute =
  ({ api }: PublicDeps, answers: SnapshotAnswers, path: SnapshotPath): RequestHandler =>
  (req, res) => {
    if (!answers.send(path, req, res)) sendUnavailable(res, api);
  };
