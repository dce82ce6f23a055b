import type { IncomingMessage } from "node:http";
import { ownOrigin, type Trust } from "./client.ts";

/** `none`: not a browser's cross-site request; `own`: a page of this service; `listed`: in the configuration. */
type OriginStatus = "none" | "own" | "listed" | "refused";
export type OriginCheck = (req: IncomingMessage) => OriginStatus;

/** Checks the `Origin` of a request by exact comparison. */
export function createOriginCheck(listed: readonly string[], trust: Trust): OriginCheck {
  const allowed = new Set(listed);
  return req => {
    const { origin } = req.headers;
    if (origin === undefined) return "none";
    if (allowed.has(origin)) return "listed";
    return origin === ownOrigin(req, trust) ? "own" : "refused";
  };
}
