import { connect } from "node:net";
import type { Input } from "./input.ts";

/** How long an input may take from its first byte to the end of its connection, on a busy machine too. */
const LONGEST_MS = 20_000;
/** How long nothing has to come before the client takes what it has for everything. */
const QUIET_MS = 20;

export interface Exchange {
  received: Buffer;
  /** whether it had to be given up */
  isLate: boolean;
}

/**
 * Sends an input over a connection of its own. When nothing more comes the client ends its side, and what came until
 * the service has ended the other is the answer.
 */
export function send({ pieces, isWhole }: Input, port: number): Promise<Exchange> {
  return new Promise(resolve => {
    const received: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    let quiet: NodeJS.Timeout | undefined;
    const end = (isLate: boolean): void => {
      clearTimeout(late);
      clearTimeout(quiet);
      socket.destroy();
      resolve({ received: Buffer.concat(received), isLate });
    };
    const late = setTimeout(() => end(true), LONGEST_MS);
    const goOn = (): void => {
      clearTimeout(quiet);
      quiet = setTimeout(() => socket.end(), QUIET_MS);
    };
    socket.on("connect", () => {
      // A service under load may take its time for an answer that it owes.
      const next = (at: number): void => {
        const piece = pieces[at];
        if (piece !== undefined) socket.write(piece, () => setImmediate(next, at + 1));
        else if (!isWhole) goOn();
      };
      next(0);
    });
    let isStream = false;
    socket.on("data", bytes => {
      received.push(bytes);
      // It goes on for as long as something happens, which others may see to.
      if (!isStream) goOn();
      isStream ||= bytes.includes("text/event-stream");
    });
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    socket.on("close", () => end(false));
  });
}
