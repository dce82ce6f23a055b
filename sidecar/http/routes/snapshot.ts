import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import type { PublicSnapshot, Snapshots } from "../../app/snapshots.ts";
import { type PreparedResponse, prepareChanging, sendPrepared } from "../prepared.ts";
import { type PublicDeps, sendUnavailable } from "./deps.ts";

export type SnapshotPath = "/status" | "/players";

export type SnapshotAnswers = ReturnType<typeof createSnapshotAnswers>;

/** Prepares the responses once for each snapshot that somebody asks for. */
export function createSnapshotAnswers(snapshots: Snapshots, refreshMs: number) {
  const [status, players] = [prepareChanging(refreshMs), prepareChanging(refreshMs)];
  const prepared = (path: SnapshotPath, snapshot: PublicSnapshot): PreparedResponse =>
    path === "/status" ? status(snapshot.status) : players(snapshot.players);

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
      const snapshot = snapshots.fresh();
      if (snapshot === undefined) return false;
      sendPrepared(prepared(path, snapshot), req, res, extra);
      return true;
    },
    /** The body of one of them, while there is a fresh snapshot. */
    body(path: SnapshotPath): Buffer | undefined {
      const snapshot = snapshots.fresh();
      return snapshot && prepared(path, snapshot).body;
    },
  };
}

/** `GET /status` and `GET /players` for the requests that do not take the fast path, see `public.ts`. */
export const snapshotRoute =
  ({ api }: PublicDeps, answers: SnapshotAnswers, path: SnapshotPath): RequestHandler =>
  (req, res) => {
    if (!answers.send(path, req, res)) sendUnavailable(res, api);
  };
