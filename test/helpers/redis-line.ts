import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

// Own connections: is a proxy between a sidecar and Redis.

/**
 * Faults between a sidecar and Redis. `cut`: connections end, and new ones fail; `silent`: all bytes are
 * lost; `deaf`: those of Redis are; `held`: they are delayed until the fault ends, even if the receiver has disconnected.
 */
type LineFault = "cut" | "silent" | "deaf" | "held";

interface Pair {
  near: Socket;
  far: Socket;
  /** delayed bytes in order, by receiver; undefined: the other side has closed the connection */
  delayed: { to: Socket; bytes: Buffer | undefined }[];
  /** some of its bytes are lost, so it cannot be used any more */
  isTorn: boolean;
}

/** A proxy between a sidecar and Redis that forwards all bytes, with faults on demand. */
export class RedisLine {
  readonly #port: number;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #fault: LineFault | undefined;

  /** `port`: of Redis */
  constructor(port: number) {
    this.#port = port;
    this.#server = createServer(near => this.#join(near));
  }

  /** Starts to listen; returns the address for the sidecar. */
  async open(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  spoil(how: LineFault): void {
    this.#fault = how;
    if (how === "cut") for (const pair of this.#pairs) end(pair);
  }

  /** Delivers delayed bytes; connections with lost bytes end. */
  heal(): void {
    this.#fault = undefined;
    for (const pair of this.#pairs) {
      if (pair.isTorn) end(pair);
      for (const { to, bytes } of pair.delayed.splice(0)) pass(to, bytes);
    }
  }

  close(): void {
    this.#server.close();
    for (const pair of this.#pairs) end(pair);
  }

  #join(near: Socket): void {
    if (this.#fault === "cut") return void near.destroy();
    const far = connect(this.#port, "127.0.0.1");
    const pair: Pair = { near, far, delayed: [], isTorn: false };
    this.#pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay(true);
      from.on("error", () => undefined);
      from.on("data", (bytes: Buffer) => this.#move(pair, to, bytes));
      from.on("close", () => {
        this.#move(pair, to, undefined);
        if (near.destroyed && far.destroyed) this.#pairs.delete(pair);
      });
    }
  }

  #move(pair: Pair, to: Socket, bytes: Buffer | undefined): void {
    if (this.#fault === "held") pair.delayed.push({ to, bytes });
    else if (this.#fault === "silent" || (this.#fault === "deaf" && to === pair.near)) pair.isTorn = true;
    else pass(to, bytes);
  }
}

function pass(to: Socket, bytes: Buffer | undefined): void {
  if (bytes === undefined) to.end(() => to.destroy());
  else if (to.writable) to.write(bytes);
}

function end({ near, far }: Pair): void {
  near.destroy();
  far.destroy();
}
