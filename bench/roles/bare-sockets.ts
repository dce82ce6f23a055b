import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { serve } from "../worker.ts";
import { meter } from "./meter.ts";

const handlers = {
  ...meter,
  /** Relays what comes from a socket to all the others; answers the port. */
  async listen(): Promise<number> {
    const wss = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
    wss.on("connection", from => {
      from.on("message", (bytes: Buffer) => {
        for (const socket of wss.clients) if (socket !== from) socket.send(bytes, { binary: false });
      });
    });
    await once(wss, "listening");
    return (wss.address() as AddressInfo).port;
  },
};
export type BareSockets = typeof handlers;

/** The least that a server on ws can do. */
export const playBareSockets = (): void => serve(handlers);
