import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { addressKey, type Trust } from "../client-address.ts";
import { createCounts } from "./counts.ts";
import { type Places, placeFor } from "./rules.ts";

/** Connections past the limit that are there for the health check, or to show who they are; of more, the oldest goes. */
const RESERVE = 32;

/**
 * Bounds the connections of a server, in all and from one address, and ends those of an address that is shut out as they come,
 * before anything of them is read. A proxy that is believed has no limit, as everybody comes from there. Past the limit of all a
 * few more are taken.
 */
export function limitConnections(
  server: Server,
  limits: Places & { trust: Trust; refused(): void; isShutOut?(address: string): boolean },
) {
  const { refused, trust, isShutOut = () => false } = limits;
  /** each with its address, undefined for that of a believed proxy */
  const open = new Map<Socket, string | undefined>();
  const reserve = new Set<Socket>();
  const lasting = new WeakSet<Duplex>();
  const counts = createCounts();

  server.prependListener("connection", (socket: Socket) => {
    // It comes back from an offer of another protocol.
    if (open.has(socket)) return;
    const from = socket.remoteAddress;
    // Reset already: it has no address to be counted by.
    if (from === undefined) {
      socket.destroy();
      return;
    }
    const address = trust(from, 0) ? undefined : addressKey(from);
    const ofAddress = address === undefined ? 0 : counts.of(address);
    const isOut = address !== undefined && isShutOut(address);
    const place = isOut ? "none" : placeFor({ all: open.size, ofAddress }, limits);
    if (place === "none") {
      refused();
      socket.resetAndDestroy();
      return;
    }
    open.set(socket, address);
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
    /** A connection that is written to from now on: it stays when its address is shut out. */
    lasts: (socket: Duplex): unknown => lasting.add(socket),
    /** Ends the connections of an address that is shut out. */
    endOf(address: string): void {
      for (const [socket, of] of open) if (of === address && !lasting.has(socket)) socket.destroy();
    },
    count: (): number => open.size,
  };
}
