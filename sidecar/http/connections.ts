import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { addressKey, type Trust } from "./client-address.ts";

/** Connections past the limit that are there for the health check, or to show who they are; of more, the oldest goes. */
const RESERVE = 32;

/**
 * Bounds the connections of a server: `most` at all, and `mostPerAddress` from one address, unless that is a proxy which is
 * believed, as everybody comes from there. Past the limit a few more are taken.
 */
export function limitConnections(
  server: Server,
  limits: { most: number; mostPerAddress: number; trust: Trust; refused: () => void },
) {
  const { most, mostPerAddress, refused, trust } = limits;
  const open = new Set<Socket>();
  const reserve = new Set<Socket>();
  const perAddress = new Map<string, number>();

  function takePlace(address: string): boolean {
    const count = perAddress.get(address) ?? 0;
    if (count >= mostPerAddress) return false;
    perAddress.set(address, count + 1);
    return true;
  }

  function leavePlace(address: string): void {
    const left = (perAddress.get(address) ?? 0) - 1;
    if (left > 0) perAddress.set(address, left);
    else perAddress.delete(address);
  }

  server.prependListener("connection", (socket: Socket) => {
    // One that comes back from an offer of another protocol.
    if (open.has(socket)) return;
    const from = socket.remoteAddress;
    // Reset already. Until that is read, which others come before, it would have a place of theirs and of no address.
    if (from === undefined) {
      socket.destroy();
      return;
    }
    const address = trust(from, 0) ? undefined : addressKey(from);
    if (address !== undefined && !takePlace(address)) {
      refused();
      socket.resetAndDestroy();
      return;
    }
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      reserve.delete(socket);
      if (address !== undefined) leavePlace(address);
    });
    if (open.size <= most) return;
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
