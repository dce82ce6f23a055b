import type { RequestHandler } from "express";
import { sendUnavailable } from "../errors.ts";
import type { PreparedAnswers } from "../prepared.ts";
import { type PublicDeps, retryAfterSeconds } from "./deps.ts";

/** `GET /status` and `GET /players` for the requests that do not take the short way, see `public.ts`. */
export function snapshotRoute(
  deps: PublicDeps,
  prepared: PreparedAnswers,
  path: "/status" | "/players",
): RequestHandler {
  return (req, res) => {
    if (!prepared.send(path, req, res)) sendUnavailable(res, retryAfterSeconds(deps.api));
  };
}
