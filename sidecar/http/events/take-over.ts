import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "../../ports.ts";
import { contained } from "../contained.ts";
import { detach, handOut, takeNoMore } from "../node-internals.ts";

/**
 * Takes connections out of HTTP: one that only ever gets more of an answer needs no parser, no request and no response,
 * which would take as much memory as all else that a stream does. Node lets go of a connection after a request that is an upgrade,
 * so that it is told that this one is. `report` is told of a fault, which ends the connection that it is about.
 */
export function createTakeOver({ soon }: Pick<Clock, "soon">, report: (error: unknown) => void) {
  const waiting = new WeakMap<Duplex, (raw: Duplex) => void>();

  function handedOut(raw: Duplex): boolean {
    const begun = waiting.get(raw);
    waiting.delete(raw);
    begun?.(raw);
    return begun !== undefined;
  }

  // Nothing stands between this and the process.
  const handOutHere = contained(
    (socket: Duplex) => {
      // What came behind was no HTTP, and has been answered.
      if (socket.destroyed) waiting.delete(socket);
      // Not handed out: it is answered where it is.
      else handedOut(socket);
    },
    socket => socket.destroy(),
    report,
  );

  return {
    /**
     * Has `take` called with the bare connection, within this turn of the event loop. To be called while the listener of the
     * request runs, before anything of the answer is sent. False: another answer has to come first on this connection.
     */
    begin(req: IncomingMessage, res: ServerResponse, take: (raw: Duplex) => void): boolean {
      const { socket } = req;
      if (res.socket === null) return false;
      waiting.set(socket, raw => {
        detach(res);
        // Whoever watches it sees it end.
        res.emit("close");
        raw.on("error", destroyItself);
        take(raw);
      });
      handOut(req);
      // Node asks the last request that it has read, and one that was sent behind is not dealt with.
      takeNoMore(req, handOut);
      soon(() => handOutHere(socket));
      return true;
    },
    /** To be called with each upgrade: whether it is one of these, which is taken over then. */
    take: handedOut,
  };
}

// A function made for each connection would hold its request and response as long as that lasts.
function destroyItself(this: Duplex): void {
  this.destroy();
}
