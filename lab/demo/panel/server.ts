import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import { WebSocketServer } from "ws";
import { catchListenerErrors, createAppListener } from "../../../sidecar/kernel/http/app-listener.ts";
import { CLIENT_TIMEOUTS, createHttpServer } from "../../../sidecar/kernel/http/overload/server.ts";
import { Clients } from "./clients.ts";
import { listCookbook, readCookbook } from "./cookbook.ts";
import type { PanelData } from "./protocol.ts";
import type { Show } from "./show.ts";

const HOST = "127.0.0.1";
/** Largest message from a page, in bytes. */
const MESSAGE_BYTES = 16 * 1024;

export interface Panel {
  /** its origin, without a trailing slash */
  readonly origin: string;
  /** number of open pages */
  readonly pages: number;
  /** Starts to serve the panel. Before that, every request gets 503. */
  show(what: Show): void;
  close(): Promise<void>;
}

/**
 * Listens on the loopback interface. Requests with another host and sockets of other origins are rejected, so that no
 * website can reach the panel through the user's browser.
 * @param port 0: any free one
 * @throws when the port is in use
 */
export async function openPanel(port: number): Promise<Panel> {
  let serve: RequestHandler | undefined;
  let clients: Clients | undefined;
  const app = express().disable("x-powered-by").disable("etag");
  let say: Show["say"] = () => undefined;
  const report = (error: unknown): void => say(`Unexpected error on a connection: ${error}`);
  const { handle, isUnreadable } = createAppListener(app);
  const server = createHttpServer({ timeouts: CLIENT_TIMEOUTS, handle, report });
  await once(server.listen(port, HOST), "listening");
  const { port: real } = server.address() as AddressInfo;
  // Browsers leave out port 80.
  const { host: own, origin } = new URL(`http://${HOST}:${real}`);
  const { host: local } = new URL(`http://localhost:${real}`);

  app.use((req, res, next) => {
    res.set({ "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer" });
    const { host } = req.headers;
    if (host === local) res.redirect(307, origin + req.originalUrl);
    else if (host !== own) res.status(403).type("text").send("The panel answers on this machine only.\n");
    else if (isUnreadable(req)) res.status(400).json({ error: "bad_request" });
    else if (req.method !== "GET" && req.method !== "HEAD") res.status(405).set("Allow", "GET, HEAD").end();
    else if (serve === undefined)
      res.status(503).set("Retry-After", "1").type("text").send("The demo is starting.\n");
    else serve(req, res, next);
  });

  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES });
  const onUpgrade = (req: IncomingMessage, raw: Duplex, head: Buffer): void => {
    raw.on("error", () => raw.destroy());
    const { headers, url } = req;
    const isOwn = headers.host === own && headers.origin === origin;
    if (!isOwn) refuse(raw, "403 Forbidden");
    else if (url !== "/world") refuse(raw, "404 Not Found");
    else if (clients === undefined) refuse(raw, "503 Service Unavailable");
    else sockets.handleUpgrade(req, raw, head, socket => clients?.add(socket));
  };
  server.on(
    "upgrade",
    catchListenerErrors(onUpgrade, (_req, raw) => raw.destroy(), report),
  );

  return {
    origin,
    get pages() {
      return clients?.size ?? 0;
    },
    show(what) {
      say = what.say;
      clients = new Clients(what);
      serve = pagesOf(what, origin);
    },
    async close() {
      clients?.close();
      sockets.close();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

function refuse(raw: Duplex, status: string): void {
  raw.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function pagesOf({ service, places }: Show, origin: string): Express {
  const socket = origin.replace(/^http/, "ws");
  const app = express().disable("x-powered-by");
  app.use((_req, res, next) => {
    res.set("Content-Security-Policy", policyOfPanel(socket, service));
    res.set("Cache-Control", "no-cache");
    next();
  });
  app.get("/panel.json", (_req, res) => {
    const data: PanelData =
      service === undefined ? { cookbook: [] } : { service, cookbook: listCookbook(places.cookbook) };
    res.json(data);
  });
  app.get("/client/index.js", (_req, res) => res.sendFile("index.js", { root: places.client }));
  app.get("/cookbook/:file", (req, res, next) => {
    const html = service === undefined ? undefined : readCookbook(places.cookbook, req.params.file, service);
    if (html === undefined || service === undefined) return next();
    res.set("Content-Security-Policy", policyOfCookbook(service)).type("html").send(html);
  });
  app.use(express.static(places.page, { cacheControl: false }));
  const noPage: RequestHandler = (_req, res) => {
    res.status(404).type("text").send("There is no such page.\n");
  };
  app.use(noPage);
  // A path that cannot be decoded; the default response would show a stack trace.
  const broken: ErrorRequestHandler = (_error, req, res, next) => noPage(req, res, next);
  app.use(broken);
  return app;
}

/** The page can load and call only the panel, and frame the web console and the cookbook. */
const policyOfPanel = (socket: string, service = ""): string =>
  policy(
    "script-src 'self'; style-src 'self'; img-src 'self'",
    `connect-src 'self' ${socket}`,
    `frame-src 'self' ${service}`.trim(),
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );

/** Pages of the cookbook are single files, and call the service. */
const policyOfCookbook = (service: string): string =>
  policy(
    "script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: ${service}`,
    `connect-src 'self' ${service} ${service.replace(/^http/, "ws")}`,
    "frame-ancestors 'self'",
  );

const policy = (...more: string[]): string =>
  ["default-src 'none'", ...more, "base-uri 'none'; form-action 'none'"].join("; ");
