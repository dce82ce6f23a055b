import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { serve } from "../worker.ts";
import { meter } from "./meter.ts";

let server: WebSocketServer | undefined;

const handlers = {
  ...meter,
  /** Takes WebSockets; answers the port. */
  listen(): Promise<number> {
    const wss = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
    server = wss;
    return new Promise(resolve => {
      wss.on("listening", () => resolve((wss.address() as AddressInfo).port));
    });
  },
  /** Sends a text to every socket. */
  send(text: string): void {
    const bytes = Buffer.from(text);
    for (const socket of server?.clients ?? []) socket.send(bytes, { binary: false });
  },
};
export type BareSockets = typeof handlers;

/** The least that a server on ws can do. */
export const playBareSockets = (): void => serve(handlers);
