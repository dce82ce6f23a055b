import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { serve } from "../worker.ts";
import { meter } from "./meter.ts";

const handlers = {
  ...meter,
  /** Keeps lines of WebSockets until the game asks for them; answers the port. */
  async listen(): Promise<number> {
    let lines: string[] = [];
    const server = createServer((_req, res) => {
      res.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(lines));
      lines = [];
    });
    new WebSocketServer({ server }).on("connection", socket =>
      socket.on("message", (bytes: Buffer) => {
        const line: { content?: unknown } = JSON.parse(bytes.toString());
        lines.push(`[web] ${line.content}`);
      }),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    return (server.address() as AddressInfo).port;
  },
};
export type PolledBridge = typeof handlers;

/** A bridge whose game asks now and then. */
export const playPolledBridge = (): void => serve(handlers);

/** Ticks between two polls: 400 ms. */
const POLL_TICKS = 8;

/** The pack that goes with it. */
export const pollingPack = (url: string): string => `
import { system, world } from "@minecraft/server";
import { http } from "@minecraft/server-net";
system.runInterval(async () => {
  const { body } = await http.get(${JSON.stringify(url)});
  for (const line of JSON.parse(body)) world.sendMessage(line);
}, ${POLL_TICKS});
`;
