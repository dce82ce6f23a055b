import { createServer, type IncomingMessage, type Server } from "node:http";
import { afterEach } from "@jest/globals";
import { createSimulator, type Simulator } from "../simulator.ts";
import type { SimulatorOptions } from "../types.ts";

// Own connections: is a server for the simulated game.

const running = new Set<Simulator>();

afterEach(() => {
  for (const simulator of running) simulator.dispose();
  running.clear();
});

/** A game with a small pack, disposed after the test. */
export async function game(pack: string, options: Omit<SimulatorOptions, "pack"> = {}): Promise<Simulator> {
  const simulator = await createSimulator({ ...options, pack });
  running.add(simulator);
  return simulator;
}

/** Output of the pack with console.log or print, without the engine's prefix. */
export function printed({ console }: Simulator): string[] {
  return console
    .filter(({ level }) => level === "info")
    .map(({ line }) => line.replace(/^\[Scripting\] /, ""));
}

/** Errors in the content log. */
export function errors({ console }: Simulator): string[] {
  return console.filter(({ level }) => level === "error").map(({ line }) => line);
}

interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface Echo {
  readonly url: string;
  readonly seen: ReceivedRequest[];
  close(): Promise<void>;
}

/** A server that records requests and returns 200 `{"n": <count>}`; it never responds to `/hold`. */
export async function echoServer(): Promise<Echo> {
  const seen: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", chunk => {
      body += chunk;
    });
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, url, headers, body });
      if (url !== "/hold") response.end(JSON.stringify({ n: seen.length }));
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return {
    url,
    seen,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address) resolve(address.port);
      else reject(new Error("no port"));
    });
  });
}
