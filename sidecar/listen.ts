import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { isErrno, reasonOf } from "../cli/errno.ts";

/**
 * Connections that wait to be taken, if the system has room for as many. What comes beyond is dropped, and tried again by whoever
 * it was after a second: visitors too, where strangers come all at once.
 */
const WAITING = 4_096;

/** Begins to listen; the error of a listener that cannot names the key to change. */
export async function listen(
  server: Server,
  key: string,
  { host, port }: { host: string; port: number },
): Promise<AddressInfo> {
  try {
    await once(server.listen({ host, port, backlog: WAITING }), "listening");
  } catch (error) {
    const [part, value, expected] = isErrno(error, "EADDRINUSE", "EACCES")
      ? ["port", port, "a port that is free and may be used"]
      : ["host", host, "an address of this machine"];
    throw new Error(`${key}.${part}: ${value}: expected ${expected} (${reasonOf(error)})`);
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error(`${key}: no TCP address`);
  return address;
}
