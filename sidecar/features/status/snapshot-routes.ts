import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import { type PublicDeps, sendUnavailable } from "../../kernel/http/deps.ts";
import { type PreparedResponse, prepareChanging, sendPrepared } from "../../kernel/http/prepared.ts";
import type { World, Worlds } from "../servers/world.ts";
import type { PublicSnapshot, Snapshots } from "./snapshots.ts";

type SnapshotPath = "/status" | "/players";

export type SnapshotAnswers = ReturnType<typeof createSnapshotAnswers>;

/** Prepares the responses once for each snapshot that somebody asks for. */
function createSnapshotAnswers(snapshots: Snapshots, refreshMs: number) {
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

/** The prepared answers of each game server. */
export function prepareSnapshots({ first, all }: Worlds, refreshMs: number) {
  const made = new Map<World, SnapshotAnswers>();
  function of(world: World): SnapshotAnswers {
    const answers = made.get(world) ?? createSnapshotAnswers(world.snapshots, refreshMs);
    made.set(world, answers);
    return answers;
  }
  const ofFirst = of(first);
  const byUrl = new Map(
    all.flatMap(world =>
      (["/status", "/players"] as const).map(path => [
        `/servers/${world.name}${path}`,
        { path, answers: of(world) },
      ]),
    ),
  );

  return {
    of,
    /** Answers where one of them is asked for and there is a fresh snapshot; else false. `extra` are headers of this one answer. */
    send(req: IncomingMessage, res: ServerResponse, extra?: OutgoingHttpHeaders): boolean {
      const { method, url = "" } = req;
      if (method !== "GET" && method !== "HEAD") return false;
      // Not the text of the request, which V8 would have to look up among all names.
      if (url === "/status") return ofFirst.send("/status", req, res, extra);
      if (url === "/players") return ofFirst.send("/players", req, res, extra);
      const found = url.startsWith("/servers/") ? byUrl.get(url) : undefined;
      return found?.answers.send(found.path, req, res, extra) ?? false;
    },
  };
}

/** `GET /status` and `GET /players` for the requests that do not take the fast path, see `public.ts`. */
export const snapshotRoute =
  ({ api }: PublicDeps, answers: SnapshotAnswers, path: SnapshotPath): RequestHandler =>
  (req, res) => {
    if (!answers.send(path, req, res)) sendUnavailable(res, api);
  };
