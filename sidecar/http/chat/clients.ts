import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import type { Bucket } from "../../domain/rate.ts";
import type { Clock, Log } from "../../ports.ts";
import { allWithin } from "../closing.ts";
import type { SidecarMetrics } from "../metrics.ts";

const GOING_AWAY = 1001;
/** How long a client has to answer the closing of the server, in milliseconds. */
export const CLOSE_TIMEOUT_MS = 2_000;

/** A connection of `/chat`. */
export interface Client {
  id: string;
  ws: WebSocket;
  /** the connection below, written to directly: each frame is made once for all clients */
  raw: Duplex;
  /** browser session of the cookie */
  session: string | undefined;
  bucket: Bucket;
  /** whether a PING costs nothing: the first one behind a line, by which a page knows that the line was read */
  hasFreePing: boolean;
  /** true while what was read of it is dealt with */
  isReading: boolean;
  /** when its last messages were refused, by the monotonic clock; undefined before the first one: most sockets never have any */
  refusedAt: number[] | undefined;
  /** what the limits of its address are counted by */
  address: string;
}

/** A frame for all clients but one, where that is named by its id. */
export interface AddressedFrame {
  frame: Buffer;
  except?: string | undefined;
}

export type Clients = ReturnType<typeof createClients>;

/** The open connections, and what is sent to them; `bufferBytes` may wait for one of them to read. */
export function createClients(deps: {
  clock: Clock;
  log: Log;
  metrics: SidecarMetrics;
  bufferBytes: number;
}) {
  const { bufferBytes, clock, log, metrics } = deps;
  const clients = new Map<WebSocket, Client>();
  const byId = new Map<string, Client>();
  /** kept beside the clients: a crowd that comes at once would have them walked for each of its upgrades */
  const perAddress = new Map<string, number>();

  function add(client: Client): void {
    clients.set(client.ws, client);
    byId.set(client.id, client);
    perAddress.set(client.address, (perAddress.get(client.address) ?? 0) + 1);
  }

  function forget(ws: WebSocket): void {
    const client = clients.get(ws);
    if (client === undefined) return;
    const { address, id } = client;
    clients.delete(ws);
    byId.delete(id);
    const left = (perAddress.get(address) ?? 0) - 1;
    if (left > 0) perAddress.set(address, left);
    else perAddress.delete(address);
  }

  /** Sends a frame; a client that leaves more than the allowed bytes unread is cut off. */
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
    /** How many an address has. */
    countOf: (address: string) => perAddress.get(address) ?? 0,
    add,
    get: (ws: WebSocket) => clients.get(ws),
    forget,
    send,
    /** Sends frames to all clients, together as one write to each; one with `except` not to the client of this id. */
    sendAll(frames: readonly AddressedFrame[]): void {
      const together = Buffer.concat(frames.map(({ frame }) => frame));
      // Found once: to look up the id of each client would cost a third of the loop besides the write.
      const exceptions = [...new Set(frames.map(({ except = "" }) => byId.get(except)))];
      for (const client of clients.values()) {
        const { raw } = client;
        const isForAll = !exceptions.includes(client);
        // Who has room for some of them only gets those, as if they had come one after another.
        if (isForAll && raw.writableLength + together.length <= bufferBytes) send(client, together);
        else for (const { frame, except } of frames) if (except !== client.id) send(client, frame);
      }
    },
    /** Closes every connection with 1001 and resolves when they are gone; after `withinMs` milliseconds they are cut off. */
    async closeAll(reason: string, withinMs = CLOSE_TIMEOUT_MS): Promise<void> {
      const open = [...clients.keys()];
      const gone = open.map(ws => {
        ws.close(GOING_AWAY, reason);
        return new Promise(resolve => ws.once("close", resolve));
      });
      await allWithin(clock, withinMs, gone);
      for (const ws of open) ws.terminate();
    },
  };
}
