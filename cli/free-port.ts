import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems hand out by themselves: what is killed and started again finds its own one free, unless somebody
 * wanted exactly that.
 */
const FIRST = 10_000;
const LAST = 32_767;
/** Ports that mean something: three of the game, with IPv6 and for its debugger, and one that browsers refuse to ask. */
const RESERVED = [19_132, 19_133, 19_144, 10_080];
const handedOut = new Set(RESERVED);

/** A port of the loopback that nobody uses at the moment, from 10,000 to 32,767, and that was not given before. */
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
