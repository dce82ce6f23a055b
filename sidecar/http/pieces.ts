import type { Socket } from "node:net";
import { skipPieces } from "./node-internals.ts";

/** Pieces of bodies that one read of a connection may hold: clients write more than a byte into each. */
const MOST_PIECES = 64;

/**
 * Counts the pieces of bodies within each read of a connection. A read of 64 KiB can hold 10,000 chunks of one byte, each of
 * which costs as much as a chunk of thousands: whoever sends them is answered as whoever breaks the protocol, and cut off.
 */
export function createPieceCount() {
  const reads = new WeakMap<Socket, { bytesRead: number; pieces: number }>();
  return {
    /** Whether one more may be taken. */
    take(socket: Socket): boolean {
      if (socket.destroyed) return false;
      const { bytesRead } = socket;
      const known = reads.get(socket);
      const read = known?.bytesRead === bytesRead ? known : { bytesRead, pieces: 0 };
      reads.set(socket, read);
      if (++read.pieces <= MOST_PIECES) return true;
      skipPieces(socket);
      // Node answers it, unless an answer is on its way already.
      socket.emit("error", new Error(`a read with more than ${MOST_PIECES} pieces of a body`));
      socket.destroy();
      return false;
    },
  };
}
