import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

// Own connections: lets the connections of a page vanish.

/** Forwards connections to a service; while `isDead`, it silently drops all data. */
export class Swallower {
  isDead = false;
  readonly #open = new Set<Socket>();
  readonly #server = createServer(socket => this.#pass(socket));
  readonly #service: URL;

  private constructor(service: string) {
    this.#service = new URL(service);
  }

  static async open(service: string): Promise<Swallower> {
    const swallower = new Swallower(service);
    await once(swallower.#server.listen(0, "127.0.0.1"), "listening");
    return swallower;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #pass(near: Socket): void {
    const far = connect(Number(this.#service.port), this.#service.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#open.add(from);
      from.on("data", data => void (this.isDead || to.write(data)));
      from.on("error", () => from.destroy());
      from.on("close", () => {
        this.#open.delete(from);
        if (!this.isDead) to.destroy();
      });
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise(resolve => this.#server.close(resolve));
  }
}
