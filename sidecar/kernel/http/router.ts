import type { Express, Request } from "express";
import type { Log } from "../../platform/log.ts";
import type { SidecarMetrics } from "../../platform/metrics.ts";
import { pathForLog } from "../../platform/throttled-log.ts";
import { StorageFault } from "../storage/ports.ts";
import type { Admission } from "./admission.ts";
import { allow, sendAnswer } from "./answer.ts";
import { createBodyReader } from "./body.ts";
import type { ApiSettings } from "./description.ts";
import { bodyTooLarge, errorAnswer, errorHandler, errorWith, unavailable, unexpected } from "./errors.ts";
import { createPreflights } from "./origin.ts";
import type { BoundRoute, Handlers, RouteTarget } from "./route.ts";

interface RouterDeps {
  api: ApiSettings;
  log: Log;
  metrics: SidecarMetrics;
  admission: Pick<Admission, "onTooManyChunks">;
}

export interface Servers<W extends { name: string }> {
  first: W;
  all: readonly W[];
  of(name: string): W | undefined;
}

export interface ServedRoutes<W extends { name: string }> {
  routes: readonly BoundRoute<W>[];
  servers: Servers<W>;
  /** paths that are not described */
  others: Readonly<Record<string, Handlers>>;
}

/** Adds every route of the public service to an Express application. */
export function addRoutes<W extends { name: string }>(
  app: Express,
  { api, log, metrics, admission }: RouterDeps,
  served: ServedRoutes<W>,
  isUnreadable: (req: Request) => boolean,
): void {
  app.disable("x-powered-by").disable("etag").enable("strict routing").enable("case sensitive routing");
  app.use((req, res, next) => {
    // A stream has no `finish` when its reader leaves.
    res.on("close", () => metrics.request(req.route?.path ?? "none", res.statusCode));
    next();
  }, createPreflights(api.corsOrigins));
  app.use((req, res, next) => (isUnreadable(req) ? sendAnswer(res, errorAnswer("bad_request")) : next()));
  app.use((req, _res, next) => {
    // A path that cannot be decoded is not found.
    if (req.path.includes("%") && !isDecodable(req.path)) req.url = req.path.replace(/%/g, "-");
    next();
  });
  // Unknown game server: 404 for every path below it, before anything else is checked.
  app.use((req, res, next) => {
    const name = /^\/servers\/([^/]+)\//.exec(req.path)?.[1];
    if (name === undefined || served.servers.of(name) !== undefined) next();
    else sendAnswer(res, errorWith("unknown_server", { field: "server" }));
  });
  const readBody = createBodyReader(api.limits.bodyBytes, admission.onTooManyChunks);
  for (const [path, handlers] of [...handlersOf(served, readBody), ...Object.entries(served.others)]) {
    const route = app.route(path);
    if (handlers.get) route.get(handlers.get);
    if (handlers.post) route.post(handlers.post);
    if (handlers.delete) route.delete(handlers.delete);
    const methods = allow(handlers);
    if (handlers.options) route.options(handlers.options);
    route.options((_req, res) => sendAnswer(res, { status: 204, headers: methods }));
    route.all((_req, res) => sendAnswer(res, errorAnswer("method_not_allowed", methods)));
  }
  app.use((_req, res) => sendAnswer(res, errorAnswer("not_found")));
  app.use(
    errorHandler(
      (res, status) =>
        sendAnswer(res, status === 413 ? bodyTooLarge(api.limits.bodyBytes) : unreadableBody(status)),
      (res, error, req) =>
        sendAnswer(
          res,
          error instanceof StorageFault
            ? unavailable(api)
            : unexpected(log, req, { error, method: req.method, path: pathForLog(req.path) }),
        ),
    ),
  );
}

/** A body that cannot be read, by the status that Express gives its error. */
const unreadableBody = (status: number) =>
  errorWith("invalid_body", {
    message:
      status === 415
        ? "The body must not be compressed: send it without `Content-Encoding`."
        : "The body could not be read: it ended early or came in too many chunks.",
  });

/** Handlers of each described path, as Express writes it. */
function handlersOf<W extends { name: string }>(
  { routes, servers: { first, all } }: ServedRoutes<W>,
  readBody: RouteTarget<W>["readBody"],
): Map<string, Handlers> {
  const byPath = new Map<string, Handlers>();
  for (const { method, path, about, handler } of routes) {
    const { perServer } = about;
    const unnamed = perServer === "all" ? all : perServer ? [first] : [];
    const places = [
      { server: first, isNamed: false, servers: unnamed.map(({ name }) => name), above: "" },
      ...(perServer ? all : []).map(server => ({
        server,
        isNamed: true,
        servers: [server.name],
        above: `/servers/${server.name}`,
      })),
    ];
    for (const { above, ...place } of places) {
      const handle = handler({ ...place, readBody });
      const at = above + path.replace(/\{(\w+)\}/g, ":$1");
      if (handle) byPath.set(at, { ...byPath.get(at), [method.toLowerCase()]: handle });
    }
  }
  return byPath;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
