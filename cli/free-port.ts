import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ephemeral ports of systems: a process that is killed and restarted finds its port free, unless another one
 * requested exactly that port.
 */
const FIRST = 10_000;
const LAST = 32_767;
/** Reserved ports: three of the game, with IPv6 and for its debugger, and one that browsers block. */
const RESERVED = [19_132, 19_133, 19_144, 10_080];
const handedOut = new Set(RESERVED);

/** A currently free loopback port, from 10,000 to 32,767, that was not returned before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (handedOut.has(port) || !(await isFree(port))) continue;
    handedOut.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
