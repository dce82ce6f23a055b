import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems hand out by themselves: what is killed and started again finds its own one free, unless somebody
 * wanted exactly that.
 */
const FIRST = 10_000;
const LAST = 32_767;

/** A port of the loopback that nobody uses at the moment, from 10,000 to 32,767. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (await isFree(port)) return port;
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
