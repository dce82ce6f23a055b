import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { addressKey, type Trust } from "../client-address.ts";
import { type ClientLimits, checkLimits, createCounts } from "./rules.ts";

/** Connections over the limit that can still request the health check or authenticate; beyond these, the oldest is closed. */
const RESERVE = 32;

/**
 * Limits the connections of a server, in total and from one address, and closes those of a blocked address immediately,
 * before anything is read. A trusted proxy has no limit, as all clients use it. Over the total limit a
 * few more are accepted.
 */
export function limitConnections(
  server: Server,
  limits: ClientLimits & { trust: Trust; onRefused(): void; isBlocked?(address: string): boolean },
) {
  const { onRefused, trust, isBlocked = () => false } = limits;
  /** each with its address, undefined for a trusted proxy */
  const open = new Map<Socket, string | undefined>();
  const reserve = new Set<Socket>();
  const stayOpenWhenBlocked = new WeakSet<Duplex>();
  const counts = createCounts();

  server.prependListener("connection", (socket: Socket) => {
    // It was counted before it requested another protocol.
    if (open.has(socket)) return;
    const from = socket.remoteAddress;
    // Reset already: it has no address.
    if (from === undefined) {
      socket.destroy();
      return;
    }
    const address = trust(from, 0) ? undefined : addressKey(from);
    const ofAddress = address === undefined ? 0 : counts.of(address);
    const isOut = address !== undefined && isBlocked(address);
    const place = isOut ? "none" : checkLimits({ all: open.size, ofAddress }, limits);
    if (place === "none") {
      onRefused();
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
    onRefused();
    reserve.add(socket);
    const [oldest] = reserve;
    if (reserve.size > RESERVE) oldest?.resetAndDestroy();
  });

  return {
    /** Whether the connection of a request is over the limit. */
    isOverLimit: ({ socket }: IncomingMessage): boolean => reserve.has(socket),
    /** Keeps the connection of a request open although it is over the limit. */
    keepOpen: ({ socket }: IncomingMessage): unknown => reserve.delete(socket),
    /** Keeps a connection open when its address is blocked. */
    keepWhenBlocked: (socket: Duplex): unknown => stayOpenWhenBlocked.add(socket),
    /** Closes the connections of a blocked address. */
    closeAddress(address: string): void {
      for (const [socket, of] of open)
        if (of === address && !stayOpenWhenBlocked.has(socket)) socket.destroy();
    },
    count: (): number => open.size,
  };
}
