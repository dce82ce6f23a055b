import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { type Places, placeFor } from "../../domain/crowds.ts";
import { addressKey, type Trust } from "../client-address.ts";
import { createCounts } from "./counts.ts";

/** Connections past the limit that are there for the health check, or to show who they are; of more, the oldest goes. */
const RESERVE = 32;

/**
 * Bounds the connections of a server: at all, and from one address, unless that is a proxy which is believed, as everybody comes
 * from there. Past the limit of all a few more are taken.
 */
export function limitConnections(server: Server, limits: Places & { trust: Trust; refused: () => void }) {
  const { refused, trust } = limits;
  const open = new Set<Socket>();
  const reserve = new Set<Socket>();
  const counts = createCounts();

  server.prependListener("connection", (socket: Socket) => {
    const from = socket.remoteAddress;
    // Reset already. Until that is read, which others come before, it would have a place of theirs and of no address.
    if (from === undefined) {
      socket.destroy();
      return;
    }
    const address = trust(from, 0) ? undefined : addressKey(from);
    const ofAddress = address === undefined ? 0 : counts.of(address);
    const place = placeFor({ all: open.size, ofAddress }, limits);
    if (place === "none") {
      refused();
      socket.resetAndDestroy();
      return;
    }
    open.add(socket);
    if (address !== undefined) counts.add(address);
    socket.once("close", () => {
      open.delete(socket);
      reserve.delete(socket);
      if (address !== undefined) counts.add(address, -1);
    });
    if (place === "free") return;
    refused();
    reserve.add(socket);
    const [oldest] = reserve;
    if (reserve.size > RESERVE) oldest?.resetAndDestroy();
  });

  return {
    /** Whether the connection of a request is one past the limit. */
    isPast: ({ socket }: IncomingMessage): boolean => reserve.has(socket),
    /** Has the connection of a request not go for later ones. */
    keep: ({ socket }: IncomingMessage): unknown => reserve.delete(socket),
    count: (): number => open.size,
  };
}
