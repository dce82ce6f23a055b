import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request as httpsRequest, type RequestOptions } from "node:https";
import { join } from "node:path";
import { WebSocket } from "ws";
import { noting } from "../helpers/breaches.ts";
import { watched } from "../helpers/chat-socket.ts";
import { contractOf } from "../helpers/contract.ts";
import { eventually } from "../helpers/eventually.ts";
import { HOST, programOf } from "../helpers/recipes.ts";

// Own connections: connects to a proxy over TLS, and checks responses.

export { freePort } from "../../cli/free-port.ts";
export * from "../helpers/recipes.ts";

/** The first of these programs that is installed; otherwise a line says what is not tested. */
export function findProgram(names: string[], ...args: string[]): string | undefined {
  const found = programOf(names, ...args);
  if (found === undefined) console.log(`not tested: ${names[0]} is not installed`);
  return found;
}

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** A proxy that runs a recipe, as seen by a browser. */
export class Front {
  readonly #child: ChildProcess;
  readonly #ca: Buffer;
  readonly port: number;

  private constructor(child: ChildProcess, ca: Buffer, port: number) {
    this.#child = child;
    this.#ca = ca;
    this.port = port;
  }

  /** Starts a proxy and waits until it accepts connections. */
  static async start(command: string[], folder: string, cert: string, port: number): Promise<Front> {
    const [program = "", ...args] = command;
    const home = join(folder, "home");
    mkdirSync(home);
    const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
    const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
    const said: Buffer[] = [];
    child.stderr.on("data", chunk => said.push(chunk));
    const front = new Front(child, readFileSync(cert), port);
    await eventually(() => front.ask("/healthz")).catch(error => {
      writeFileSync(2, Buffer.concat(said));
      throw error;
    });
    return front;
  }

  get origin(): string {
    return `https://${HOST}:${this.port}`;
  }

  /** A request over TLS with a verified certificate. */
  ask(path: string, headers: Record<string, string> = {}, body?: string): Promise<Reply> {
    const method = body === undefined ? "GET" : "POST";
    return new Promise((resolve, reject) => {
      const request = httpsRequest(this.#request(path, method, headers), answer => {
        const parts: Buffer[] = [];
        answer.on("data", part => parts.push(part));
        answer.on("error", reject);
        answer.on("end", () => {
          const [status, text] = [answer.statusCode ?? 0, Buffer.concat(parts).toString()];
          const header = (name: string): string | null =>
            answer.headers[name.toLowerCase()]?.toString() ?? null;
          // The proxy itself rejects a body that is far too large, in its own words. Other pages and the proxy's own responses
          // do not belong to the service.
          if (status !== 413 && !/^\/(members\b|\/?session\/forward)/.test(path))
            noting(() => contractOf(this.origin).answer({ method, path, status, header, text }));
          resolve({ status, headers: answer.headers, text });
        });
      });
      request.on("error", reject);
      request.end(body);
    });
  }

  /** Opens the chat like a page of an origin: its first message, or the status of the rejection. */
  chat(origin: string): Promise<string | number> {
    const agent = new Agent({ servername: HOST, ca: this.#ca });
    const headers = { Host: `${HOST}:${this.port}`, Origin: origin };
    const socket = watched(new WebSocket(`wss://127.0.0.1:${this.port}/chat`, { agent, headers }));
    return new Promise((resolve, reject) => {
      socket.on("message", data => {
        resolve(data.toString());
        socket.close();
      });
      socket.on("unexpected-response", (request, answer) => {
        resolve(answer.statusCode ?? 0);
        request.destroy();
      });
      socket.on("error", reject);
    });
  }

  /** Opens the event stream: the data so far, and a function that closes it. */
  events(): Promise<{ text(): string; close(): void }> {
    return new Promise((resolve, reject) => {
      const request = httpsRequest(this.#request("/events", "GET", {}), answer => {
        let text = "";
        const header = (name: string): string | null =>
          answer.headers[name.toLowerCase()]?.toString() ?? null;
        const seen = { method: "GET", path: "/events", status: answer.statusCode ?? 0, header };
        noting(() => contractOf(this.origin).answer({ ...seen, text: undefined }));
        answer.setEncoding("utf8").on("data", chunk => {
          text += chunk;
        });
        answer.on("error", () => undefined);
        resolve({ text: () => text, close: () => request.destroy() });
      });
      request.on("error", reject);
      request.end();
    });
  }

  #request(path: string, method: string, headers: Record<string, string>): RequestOptions {
    return {
      host: "127.0.0.1",
      port: this.port,
      path,
      method,
      servername: HOST,
      ca: this.#ca,
      agent: false,
      headers: { Host: `${HOST}:${this.port}`, ...headers },
    };
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
  }
}
