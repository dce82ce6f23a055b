import type { IncomingMessage } from "node:http";
import type { ApiSettings } from "./description.ts";
import { ADMIN_KEY_HEADER } from "./keys.ts";
import type { BoundRoute } from "./route.ts";

const KEY_HEADER = ADMIN_KEY_HEADER.toLowerCase();

/** A path as it is described, as a pattern for the paths of requests. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);

/**
 * Whether a request reads data that needs neither cookie nor key, or is the preflight of one. A request with a key does not.
 */
export function createPublicReads(
  routes: readonly Pick<BoundRoute<never>, "about" | "method" | "path">[],
  api: ApiSettings,
): (req: IncomingMessage) => boolean {
  const patterns = routes
    .filter(({ method, about }) => method === "GET" && about.auth.scheme(api) === undefined)
    .flatMap(({ path, about }) => [path, ...(about.perServer ? [`/servers/{server}${path}`] : [])])
    .map(patternOf);
  return ({ method, url = "", headers }) => {
    if (headers[KEY_HEADER] !== undefined) return false;
    const reads = method === "OPTIONS" ? headers["access-control-request-method"] : method;
    if (reads !== "GET" && reads !== "HEAD") return false;
    const sent = headers["access-control-request-headers"]?.toLowerCase().split(",") ?? [];
    if (sent.some(name => name.trim() === KEY_HEADER)) return false;
    const path = url.split("?", 1)[0] ?? "";
    return patterns.some(pattern => pattern.test(path));
  };
}
