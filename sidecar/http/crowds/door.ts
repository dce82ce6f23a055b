import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "../../ports.ts";
import { addressKey } from "../client-address.ts";
import { contained } from "../contained.ts";
import { takeUnread } from "../node-internals.ts";
import type { Crowd } from "./turns.ts";

type Serve = (this: Server, socket: Duplex) => void;

/** How a server lets connections in, and deals with what is read of them. */
interface Door {
  crowd: Crowd;
  clock: Pick<Clock, "after">;
  /** is told of a fault, which ends the connection that it is about */
  report(error: unknown): void;
  /** for how long nobody is let in who connects from an address, in milliseconds */
  barredMs(from: string): number;
}

/**
 * Lets connections into a server by turns to each address. Node takes one from the system in each turn of its event loop, in
 * the order in which they came: all that wait are taken first, which costs next to nothing while nothing is read of them, so that
 * whoever came last waits for those of its own address alone. To be called before other listeners of connections are added, which
 * are to decide first whether one is taken at all. Answers what serves one that is inside already, and comes back from an offer of
 * another protocol.
 */
export function createDoor(server: Server, { crowd, clock, report, barredMs }: Door): (raw: Duplex) => void {
  takeUnread(server);
  const serving = server.listeners("connection") as Serve[];
  server.removeAllListeners("connection");

  function letIn(socket: Duplex): void {
    for (const serve of serving) serve.call(server, socket);
  }

  // Nobody would end a connection later that has not been let in.
  const open = contained(
    (socket: Socket) => {
      if (socket.destroyed) return;
      const laterMs = barredMs(socket.remoteAddress ?? "");
      if (laterMs > 0) {
        clock.after(laterMs, () => wait(socket));
        return;
      }
      letIn(socket);
      socket.resume();
    },
    socket => socket.destroy(),
    report,
  );

  function wait(socket: Socket): void {
    crowd.begin({ address: addressKey(socket.remoteAddress ?? ""), act: () => open(socket) });
  }

  server.on("connection", (socket: Socket) => {
    // Refused already.
    if (socket.destroyed) return;
    crowd.hold();
    wait(socket);
  });
  return letIn;
}
