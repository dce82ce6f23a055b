import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { serve } from "../worker.ts";
import { meter } from "./meter.ts";

/** Lines after which a queue is emptied: nobody asks for them. */
const QUEUE = 1_000;

async function listening(onConnection: (from: WebSocket, socket: Socket, wss: WebSocketServer) => void) {
  const wss = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  wss.on("connection", (from, { socket }) => onConnection(from, socket, wss));
  await once(wss, "listening");
  return (wss.address() as AddressInfo).port;
}

function relay(from: WebSocket, bytes: Buffer, { clients }: WebSocketServer): void {
  for (const socket of clients) if (socket !== from) socket.send(bytes, { binary: false });
}

/** A short text as a server sends it (RFC 6455, section 5.2). */
const textFrame = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0x81, bytes.length]), bytes]);

const handlers = {
  ...meter,
  /** Relays what comes from a socket to all the others; answers the port. */
  listen: (): Promise<number> =>
    listening((from, _, wss) => from.on("message", (bytes: Buffer) => relay(from, bytes, wss))),
  /** The same by one write of one buffer to each connection: the least that Node lets a server do. */
  listenForWrites(): Promise<number> {
    const open = new Set<Socket>();
    return listening((from, socket) => {
      open.add(socket);
      socket.once("close", () => open.delete(socket));
      from.on("message", (bytes: Buffer) => {
        const frame = textFrame(bytes);
        for (const other of open) if (other !== socket) other.write(frame);
      });
    });
  },
  /** The same of what is a line of chat, which is queued as well. */
  listenForGame(): Promise<number> {
    const queue: string[] = [];
    return listening((from, _, wss) =>
      from.on("message", (bytes: Buffer) => {
        const line: { type?: unknown; content?: unknown } = JSON.parse(bytes.toString());
        if (line.type !== "CHAT" || typeof line.content !== "string") return;
        if (queue.push(line.content) >= QUEUE) queue.length = 0;
        relay(from, bytes, wss);
      }),
    );
  },
};
export type BareSockets = typeof handlers;

/** The least that a server on ws can do. */
export const playBareSockets = (): void => serve(handlers);
