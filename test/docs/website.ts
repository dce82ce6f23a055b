import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";

// Own connections: is a website beside the service.

/** The address of the service at the start of every file of the cookbook. */
export const SHOWN_API = "http://localhost:8080";

const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript; charset=utf-8" };

/** A website on its own origin, with the cookbook and the built client, as the comments of these files require. */
export class Website {
  /** address of the service that the pages call; set before a page is opened */
  api = "";
  /** a `Content-Security-Policy` for the pages; style and script then have the nonce `once` */
  policy: string | undefined;
  readonly #server: Server;
  readonly #port: number;

  private constructor(server: Server) {
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    server.on("request", (req, res) => {
      const [url = "/"] = (req.url ?? "/").split("?");
      const send = (type: keyof typeof TYPES, text: string): void => {
        if (this.policy !== undefined) res.setHeader("Content-Security-Policy", this.policy);
        res.writeHead(200, { "Content-Type": TYPES[type] }).end(text);
      };
      if (url === "/client/index.js") send("js", fileAt("../../dist/client/index.js"));
      else if (/^\/cookbook\/[\w-]+\.html$/.test(url)) {
        const page = fileAt(`../../docs/cookbook/${basename(url)}`);
        const own = this.policy === undefined ? page : page.replace(/<(style|script)/g, '<$1 nonce="once"');
        send("html", own.replaceAll(SHOWN_API, this.api));
      } else res.writeHead(204).end();
    });
  }

  static async start(): Promise<Website> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
    return new Website(server);
  }

  /** Its origin in a browser that resolves this host name to it. */
  origin(host = "127.0.0.1"): string {
    return `http://${host}:${this.#port}`;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise(resolve => this.#server.close(() => resolve()));
  }
}

const fileAt = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
