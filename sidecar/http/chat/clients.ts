import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import type { Clock, Log } from "../../ports.ts";
import type { SidecarMetrics } from "../metrics.ts";
import type { Bucket } from "../rate-limit.ts";

const GOING_AWAY = 1001;
/** How long a client has to answer the closing of the server, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2_000;

/** A connection of `/chat`. */
export interface Client {
  id: string;
  ws: WebSocket;
  /** the connection below, written to directly: each frame is made once for all clients */
  raw: Duplex;
  /** browser session of the cookie */
  session: string | undefined;
  bucket: Bucket;
  /** what the limits of its address are counted by */
  address: string;
}

/** The open connections, and what is sent to them. */
export interface Clients {
  count(): number;
  /** How many of them an address has. */
  countOf(address: string): number;
  add(client: Client): void;
  get(ws: WebSocket): Client | undefined;
  forget(ws: WebSocket): void;
  /** Sends a frame; a client that leaves more than the allowed bytes unread is cut off. */
  send(client: Client, frame: Buffer): void;
  /** Sends a frame to all but the client of this id. */
  sendAll(frame: Buffer, except?: string): void;
  /** Closes every connection with 1001 and resolves when they are gone, after two seconds at most. */
  closeAll(): Promise<void>;
}

export function createClients(deps: {
  clock: Clock;
  log: Log;
  metrics: SidecarMetrics;
  /** bytes that may wait for one client to read them */
  bufferBytes: number;
}): Clients {
  const { bufferBytes, clock, log, metrics } = deps;
  const clients = new Map<WebSocket, Client>();
  const perAddress = new Map<string, number>();
  const countOf = (address: string): number => perAddress.get(address) ?? 0;

  function forget(ws: WebSocket): void {
    const address = clients.get(ws)?.address;
    if (!clients.delete(ws) || address === undefined) return;
    const left = countOf(address) - 1;
    if (left > 0) perAddress.set(address, left);
    else perAddress.delete(address);
  }

  function send({ ws, raw }: Client, frame: Buffer): void {
    if (ws.readyState !== WebSocket.OPEN || !raw.writable) {
      if (ws.readyState === WebSocket.CLOSED) forget(ws);
      return;
    }
    if (raw.writableLength + frame.length > bufferBytes) {
      metrics.slowReader();
      log.info({ unsentBytes: raw.writableLength }, "closed a chat socket that does not read");
      ws.terminate();
      return;
    }
    raw.write(frame);
  }

  return {
    count: () => clients.size,
    countOf,
    add(client) {
      clients.set(client.ws, client);
      perAddress.set(client.address, countOf(client.address) + 1);
    },
    get: ws => clients.get(ws),
    forget,
    send,
    sendAll(frame, except) {
      for (const client of clients.values()) if (client.id !== except) send(client, frame);
    },
    closeAll() {
      const open = [...clients.keys()];
      for (const ws of open) ws.close(GOING_AWAY, "the service is going away");
      const gone = open.map(ws => new Promise(resolve => ws.once("close", resolve)));
      return new Promise(resolve => {
        const cancel = clock.after(CLOSE_TIMEOUT_MS, () => {
          for (const ws of clients.keys()) ws.terminate();
          resolve();
        });
        void Promise.all(gone).then(() => {
          cancel();
          resolve();
        });
      });
    },
  };
}
