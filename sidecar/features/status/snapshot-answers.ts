import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Metrics, PlayerData } from "../../../shared/public/game-server.ts";
import { perServer } from "../../kernel/feature.ts";
import {
  type PreparedResponse,
  prepareChanging,
  preparedAnswer,
  sendAnswer,
} from "../../kernel/http/answer.ts";
import type { GameServers } from "../servers/game-server.ts";
import type { PublicSnapshot, Snapshots } from "./snapshots.ts";

/** The prepared answers of one game server; undefined without a fresh snapshot. */
interface ServerAnswers {
  "/status"(): PreparedResponse<Metrics> | undefined;
  "/players"(): PreparedResponse<PlayerData[]> | undefined;
}

/** The prepared answers of each game server. */
export interface SnapshotAnswers {
  of(server: { name: string }): ServerAnswers;
  /** Answers a request for one of them; false: it is for another path, or there is no fresh snapshot. `extra`: further headers. */
  send(req: IncomingMessage, res: ServerResponse, extra?: OutgoingHttpHeaders): boolean;
}

/** Prepares the answers to `GET /status` and `GET /players` once for each requested snapshot. */
function createServerAnswers(snapshots: Snapshots, refreshMs: number): ServerAnswers {
  const [status, players] = [prepareChanging<Metrics>(refreshMs), prepareChanging<PlayerData[]>(refreshMs)];
  const latest =
    <B>(prepare: (snapshot: PublicSnapshot) => PreparedResponse<B>) =>
    (): PreparedResponse<B> | undefined => {
      const snapshot = snapshots.fresh();
      return snapshot && prepare(snapshot);
    };
  return {
    "/status": latest(snapshot => status(snapshot.status)),
    "/players": latest(snapshot => players(snapshot.players)),
  };
}

export function createSnapshotAnswers({ first, all }: GameServers, refreshMs: number): SnapshotAnswers {
  const of = perServer(all, ({ snapshots }) => createServerAnswers(snapshots, refreshMs));
  const ofFirst = of(first);
  const byUrl = new Map(
    all.flatMap(server =>
      (["/status", "/players"] as const).map(path => [`/servers/${server.name}${path}`, of(server)[path]]),
    ),
  );

  function latestAt({ method, url = "" }: IncomingMessage): PreparedResponse | undefined {
    if (method !== "GET" && method !== "HEAD") return undefined;
    // Compared as constants: V8 would have to look up the URL among all names.
    if (url === "/status") return ofFirst["/status"]();
    if (url === "/players") return ofFirst["/players"]();
    return url.startsWith("/servers/") ? byUrl.get(url)?.() : undefined;
  }

  return {
    of,
    send(req, res, extra) {
      const latest = latestAt(req);
      if (latest === undefined) return false;
      sendAnswer(res, preparedAnswer(latest, req), extra);
      return true;
    },
  };
}
